import { expect, it } from "vitest";
import { describeNothing } from "#components/inbox/nothing-waits.tsx";

it.each([
  ["live", true, /^Nothing needs a decision$/],
  ["connecting", true, /^Nothing needs a decision$/],
  ["no sources yet", false, /known/],
  ["syncing", false, /known/],
  ["stale", false, /known/],
  ["denied", false, /known/],
  ["held", false, /known/],
  ["no answer", false, /known/],
] as const)("an empty inbox while the sources are %s: known %s", (words, isKnown, title) => {
  const said = describeNothing({ words });
  expect(said.isKnown).toBe(isKnown);
  expect(said.title).toMatch(title);
});
