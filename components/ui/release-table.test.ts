import { expect, it } from "vitest";
import {
  countRuns,
  describeContradicted,
  describeOverride,
  describeWhy,
  wordLength,
  wordRevision,
} from "#components/ui/release-table.tsx";
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

const promoted = {
  ...{ sentence: null, state: "promoted" as const, acts: { total: 0, latest: [] } },
  runs: { total: 0, byPhase: {}, contradicted: {} },
};

it.each([
  { name: "of the first revision", revision: 1, attempt: 1, message: "", words: "first deployment" },
  {
    name: "that the recorder named",
    revision: null,
    attempt: 1,
    message: "first deployment",
    words: "first deployment",
  },
  { name: "of a later attempt", revision: 1, attempt: 2, message: "", words: "" },
  { name: "as planned", revision: 2, attempt: 1, message: "", words: "" },
])("gives as the reason of a release $name: $words", ({ words, revision, attempt, message }) => {
  expect(describeWhy({ ...promoted, revision, attempt, message })).toBe(words);
});

it("gives no length of a release whose beginning was not seen", () => {
  const at = "2026-11-29T15:43:26.886Z";
  expect(wordLength({ startedAt: at, endedAt: at })).toBe("–");
  expect(wordLength({ startedAt: at, endedAt: "2026-11-29T15:43:27.086Z" })).toBe("0.2 s");
});
