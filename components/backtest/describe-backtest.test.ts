import { describe, expect, it } from "vitest";
import { describeBacktest, describeDifference, explainVerdict } from "#components/backtest/describe-backtest.ts";
import type { BacktestAnswer, BacktestRun, BacktestTotals } from "#lib/contract/backtest.ts";

const none = { Successful: 0, Failed: 0, Error: 0, Inconclusive: 0, undecided: 0 };

function answer(totals: Partial<BacktestTotals>, truncated = false): BacktestAnswer {
  const all = { runs: 41, measurements: 9, dryRuns: 0, changed: 2, undecided: {} };
  return {
    metric: "rate",
    totals: { ...all, recorded: none, replayed: none, proposed: none, ...totals },
    truncated,
    runs: [],
  };
}

describe("the headline", () => {
  it("counts Failed and Error as aborted", () => {
    const proposed = { ...none, Failed: 2, Error: 1, undecided: 2 };
    const { main, details } = describeBacktest(answer({ recorded: { ...none, Failed: 1 }, proposed }));
    expect(main).toBe("Would have aborted 3 of 41 runs; recorded: 1 of 41.");
    expect(details).toEqual(["2 runs would have another verdict", "2 undecided"]);
  });

  it("keeps zero, and says what limits the answer", () => {
    const { main, details } = describeBacktest(
      answer({ runs: 1, changed: 0, dryRuns: 1, recorded: { ...none, Inconclusive: 1 } }, true),
    );
    expect(main).toBe("Would have aborted 0 of 1 run; recorded: 0 of 1.");
    expect(details).toEqual([
      "No decided verdict changes",
      "0 would have asked for a person (recorded: 1)",
      "1 run measured it as a dry run, which decides nothing",
      "only the newest 1 runs are replayed",
    ]);
  });
});

const difference = { seq: 4, value: "[0.95]", finishedAt: null, recorded: "Successful" };

it.each([
  [
    { ...difference, proposed: "Failed", endsRecorded: false, endsProposed: true },
    "Successful, would be Failed; ends the metric",
  ],
  [
    { ...difference, proposed: "Successful", endsRecorded: true, endsProposed: false },
    "Successful; measuring would continue",
  ],
  [{ ...difference, proposed: null, endsRecorded: false, endsProposed: false }, "Successful; would not be taken"],
  [{ ...difference, proposed: "unknown", endsRecorded: false, endsProposed: false }, "Successful, would be undecided"],
])("%j", (given, words) => {
  expect(describeDifference(given)).toBe(words);
});

it.each<[string, Partial<BacktestRun["proposed"]>, string]>([
  [
    "a broken limit",
    { metric: { phase: "Failed", text: "failed (1) > failureLimit (0)", seq: 3 } },
    "failed (1) > failureLimit (0) at no. 3",
  ],
  ["an undecided run", { run: { phase: "undecided", text: "Too short." } }, "Too short."],
  ["other metrics", { run: { phase: "Successful" } }, "The metric ends Failed; other metrics decide."],
])("explains %s", (_, proposed, words) => {
  const failed = { run: { phase: "Failed" as const }, metric: { phase: "Failed" as const } };
  const run = { recorded: { run: "Failed", metric: "Failed" }, dryRun: false, proposed: { ...failed, ...proposed } };
  expect(explainVerdict(run as BacktestRun)).toBe(words);
});
