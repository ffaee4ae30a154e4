import { expect, it } from "vitest";
import { countRuns, describeContradicted, describeOverride, wordRevision } from "#components/ui/release-table.tsx";
import type { Release } from "#lib/contract/rollout.ts";

type Act = Release["acts"]["latest"][number];
const act = (action: string, outcome: Act["outcome"] = "applied") => ({ action, outcome }) as Act;

it.each([
  { name: "nothing of a pause that ended", latest: [act("continue")], words: undefined },
  { name: "an overridden result", latest: [act("continue"), act("accept-step")], words: "result overridden" },
  { name: "both", latest: [act("promote-full"), act("continue-waive")], words: "steps skipped, result overridden" },
  { name: "nothing of a refusal", latest: [act("promote-full", "refused")], words: undefined },
])("says of a promoted release: $name", ({ latest, words }) => {
  const acts = { total: latest.length, latest };
  expect(describeOverride({ state: "promoted", acts })).toBe(words);
  expect(describeOverride({ state: "aborted", acts })).toBeUndefined();
});

it.each([
  { revision: 6, attempt: 2, words: "6 (attempt\u00a02)" },
  { revision: 6, attempt: 1, words: "6" },
  { revision: null, attempt: 1, words: "8578749" },
])("numbers a release: $words", ({ words, ...release }) => {
  expect(wordRevision({ ...release, runKey: "85787499d9" })).toBe(words);
});

it("never counts a run as Successful whose measurements say otherwise, and says so", () => {
  const runs = { byPhase: { Successful: 3, Failed: 1 }, contradicted: { Successful: 1 } };
  expect(countRuns(runs)).toEqual([
    { key: "Successful, contradicted", state: "failed", word: "1 mismatch" },
    { key: "Successful", state: "successful", word: "2 Successful" },
    { key: "Failed", state: "failed", word: "1 Failed" },
  ]);
  expect(countRuns({ byPhase: { Successful: 1 }, contradicted: { Successful: 1 } })).toHaveLength(1);
  expect(describeContradicted(runs)).toBe("1 run was marked Successful, but its measurements disagree.");
  expect(describeContradicted({ contradicted: { Failed: 2 } })).toBe(
    "2 runs were marked Failed, but their measurements disagree.",
  );
  expect(describeContradicted({ contradicted: {} })).toBe("");
});

it("has a key for each count of runs, even if two say the same", () => {
  const counts = countRuns({ byPhase: { Successful: 1, Failed: 1 }, contradicted: { Successful: 1, Failed: 1 } });
  expect(counts.map(({ word }) => word)).toEqual(["1 mismatch", "1 mismatch"]);
  expect(new Set(counts.map(({ key }) => key)).size).toBe(2);
});
