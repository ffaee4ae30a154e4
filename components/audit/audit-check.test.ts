import { expect, it } from "vitest";
import { describeVerification } from "#components/audit/audit-check.tsx";
import { formatClockTime } from "#components/ui/format-time.ts";

const atMs = Date.parse("2026-11-24T15:44:00.000Z");

it.each([
  { found: { ok: true, entries: 127 }, begins: "Chain verified: entries 1 to 127, " },
  { found: { ok: true, entries: 1 }, begins: "Chain verified: entry 1, " },
  { found: { ok: true, entries: 0 }, begins: "Chain verified: no entries, " },
])("says which entries were verified, and when: $begins", ({ found, begins }) => {
  expect(describeVerification(found, atMs)).toContain(begins + formatClockTime(atMs));
});

it("names the entry where the chain is broken", () => {
  const found = { ok: false, entries: 4, brokenAt: 5, reason: "changed" };
  expect(describeVerification(found, atMs)).toBe("Broken at entry 5: changed");
});
