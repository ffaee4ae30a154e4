import { expect, it } from "vitest";
import { describeUnderWay } from "#components/releases/release-undo.tsx";

type Rollout = Parameters<typeof describeUnderWay>[0];

const rollout: Rollout = {
  ...{ presence: "live", aborted: false, images: [], revisionKey: "b", stableRevisionKey: "a" },
  replicaSets: [],
  weight: { set: 50, actual: 50 },
};

it.each<{ name: string; change?: Partial<Rollout>; runKey?: string; words: string | undefined }>([
  { name: "the stable version while another is under way", words: "a is stable, b gets 50 %" },
  { name: "it without a weight", change: { weight: null }, words: "a is stable, b is under way" },
  { name: "a weight of zero", change: { weight: { set: 0, actual: 0 } }, words: "a is stable, b gets 0 %" },
  { name: "an aborted rollout, whose manifest can still be restored", change: { aborted: true }, words: undefined },
  { name: "the aborted version", change: { aborted: true, weight: null }, runKey: "b", words: "a is stable" },
  {
    name: "an aborted version with traffic",
    change: { aborted: true },
    runKey: "b",
    words: "a is stable, b still gets 50 %",
  },
  { name: "the version that is under way", runKey: "b", words: undefined },
  { name: "a version that is neither", runKey: "c", words: undefined },
  {
    name: "an aborted version of an unknown stable one",
    change: { aborted: true, stableRevisionKey: null },
    runKey: "b",
    words: undefined,
  },
  { name: "a stable version alone", change: { revisionKey: "a" }, words: undefined },
  { name: "a deleted rollout", change: { presence: "deleted" }, words: undefined },
])("says which version is under way: $name", ({ change = {}, runKey = "a", words }) => {
  expect(describeUnderWay({ ...rollout, ...change }, { runKey })).toBe(words);
});
