import { expect, it } from "vitest";
import { describeFilters } from "#components/audit/describe-filters.ts";

it.each<{ name: string; filters: Record<string, string>; says: string }>([
  { name: "none", filters: { q: "", action: "" }, says: "none" },
  { name: "some", filters: { action: "abort", name: "checkout", q: "" }, says: "action abort, rollout checkout" },
  {
    name: "the aborts",
    filters: { report: "aborts", from: "2026-11-20T00:00:00Z" },
    says: "aborted releases, from 2026-11-20T00:00:00Z",
  },
  { name: "hidden sign-ins", filters: { signIns: "hidden" }, says: "without sign-ins" },
  { name: "every entry", filters: { rows: "entries" }, says: "every entry" },
])("says which filters a paper has: $name", ({ filters, says }) => {
  expect(describeFilters(filters)).toBe(says);
});
