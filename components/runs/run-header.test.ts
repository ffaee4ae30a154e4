import { expect, it } from "vitest";
import { describeSummary } from "./run-header.tsx";

type Counts = Parameters<typeof describeSummary>[0]["runSummary"];

it.each<{ name: string; runSummary: Counts; dryRunSummary?: Counts; words: string[] }>([
  { name: "nothing counted yet", runSummary: null, dryRunSummary: { count: 0 }, words: [] },
  { name: "one metric", runSummary: { count: 1, successful: 1, failed: 0 }, words: ["1 metric: 1 successful"] },
  { name: "none has ended", runSummary: { count: 2 }, words: ["2 metrics"] },
  {
    name: "dry runs apart",
    runSummary: { count: 4, successful: 2, inconclusive: 1, error: 1 },
    dryRunSummary: { count: 1, failed: 1 },
    words: ["4 metrics: 2 successful, 1 inconclusive, 1 in error", "1 dry run: 1 failed"],
  },
])("counts metrics by how they ended: $name", ({ runSummary, dryRunSummary = null, words }) => {
  expect(describeSummary({ runSummary, dryRunSummary, metrics: [] })).toEqual(words);
});

it("leaves out the record's count if the measurements contradict it", () => {
  const metrics = (["Failed", "Failed", null] as const).map((replayedPhase) => ({
    ...{ dryRun: false, replayedPhase },
  }));
  expect(describeSummary({ runSummary: { count: 3, successful: 3 }, dryRunSummary: null, metrics })).toEqual([
    "3 metrics",
  ]);
});
