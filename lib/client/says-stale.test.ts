import { expect, it } from "vitest";
import { saysStale } from "#lib/client/says-stale.ts";

const stale = { action: "continue", allowed: false, reasonCode: "source_stale" };
const fine = { action: "abort", allowed: true };

it.each([
  { name: "a rollout", data: { actions: [fine, stale] }, says: true },
  { name: "a fresh rollout", data: { actions: [fine] }, says: false },
  {
    name: "a page of the inbox",
    data: { pages: [{ items: [{ actions: [fine] }, { actions: [stale] }] }] },
    says: true,
  },
  { name: "a list of something else", data: { pages: [{ items: [{ name: "run" }] }] }, says: false },
  { name: "a plan", data: stale, says: true },
  { name: "nothing yet", data: undefined, says: false },
])("finds what is off because a source is stale: $name", ({ data, says }) => {
  expect(saysStale(data)).toBe(says);
});
