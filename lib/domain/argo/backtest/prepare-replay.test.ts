import { describe, expect, it } from "vitest";
import type { AnalysisRunSpec, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { Proposal, ReplayedMeasurement, RunBacktest, RunToReplay } from "#lib/domain/delivery/backtest.ts";
import type { EndedPhase } from "#lib/domain/delivery/run-phase.ts";
import { prepareReplay } from "./prepare-replay.ts";
import { findFaults } from "./propose-metric.ts";

const rate: MetricSpec = {
  name: "rate",
  interval: "60s",
  count: 4,
  successCondition: "result[0] >= 0.95",
  provider: { prometheus: { query: "up" } },
};

type Run = {
  spec?: Partial<AnalysisRunSpec>;
  metric?: Partial<MetricSpec>;
  /** `S 0.97`: phase and value. `-` is a missing one. */
  measured: string[];
  phase?: EndedPhase;
  isTerminated?: boolean;
  stored?: RunToReplay["metrics"][number]["stored"];
  others?: RunToReplay["metrics"];
};

const words: Record<string, EndedPhase> = { S: "Successful", F: "Failed", I: "Inconclusive", E: "Error" };

function backtest(given: Run, proposal: Proposal, controllerVersion?: string): RunBacktest {
  const { measured, phase = "Successful", isTerminated = false, stored, others = [] } = given;
  const metric = { ...rate, ...given.metric };
  const started = Date.parse("2026-01-01T00:00:00Z");
  const measurements = measured.flatMap((text, index): ReplayedMeasurement[] => {
    const [word = "", value] = text.split(" ");
    if (word === "-") return [];
    const at = started + index * 60_000;
    const own = { seq: index + 1, phase: words[word] ?? "Error", startedAt: at, finishedAt: at };
    return [value === undefined ? own : { ...own, value: `[${value}]` }];
  });
  const count = (word: string) => measured.filter((text) => text.startsWith(word)).length;
  const run: RunToReplay = {
    phase,
    isTerminated,
    startedAt: started,
    endedAt: started + (measured.length - 1) * 60_000,
    metrics: [
      {
        name: "rate",
        phase,
        count: measured.length - count("E"),
        successful: count("S") + count("-"),
        failed: count("F"),
        error: count("E"),
        inconclusive: count("I"),
        isInconsistent: false,
        ...(stored === undefined ? {} : { stored }),
      },
      ...others,
    ],
  };
  const rules = { metrics: [metric], ...given.spec };
  const replay = prepareReplay({ rules, metric: "rate", proposal, controllerVersion })(run);
  for (const measurement of measurements) replay.add(measurement);
  return replay.finish();
}

const passed = ["S 0.97", "S 0.96", "S 0.99", "S 0.95"];
const other: MetricSpec = { name: "latency", interval: "60s", count: 9, provider: { prometheus: {} } };
const otherRecord = { name: "latency", count: 4, successful: 4, isInconsistent: false };

type Case = [name: string, run: Run, proposal: Proposal, verdict: string, firstDifference: number | null];

const cases: Case[] = [
  ["nothing is changed", { measured: passed }, {}, "Successful", null],
  [
    "a condition that all values pass",
    { measured: passed },
    { successCondition: "result[0] > 0.9" },
    "Successful",
    null,
  ],
  ["a condition that one value fails", { measured: passed }, { successCondition: "result[0] > 0.95" }, "Failed", 4],
  ["what follows the end is ignored", { measured: passed }, { successCondition: "result[0] < 0.97" }, "Failed", 1],
  [
    "a limit of zero is a limit",
    { measured: ["S 1", "F 0.1", "S 1", "S 1"], metric: { failureLimit: 1 } },
    { failureLimit: 0 },
    "Failed",
    2,
  ],
  [
    "a removed limit is its default",
    { measured: ["S 1", "F 0.1", "S 1", "S 1"], metric: { failureLimit: 1 } },
    { failureLimit: null },
    "Failed",
    2,
  ],
  ["text that holds a number", { measured: ["F 0.1"], phase: "Failed" }, { failureLimit: "1" }, "record-ends", 1],
  [
    "a higher limit that the record reaches",
    { measured: ["F 0.1", "F 0.1"], phase: "Failed", metric: { failureLimit: 1 } },
    { failureLimit: 0 },
    "Failed",
    1,
  ],
  ["a smaller count", { measured: passed }, { count: 2 }, "Successful", 2],
  ["a larger count", { measured: passed }, { count: 5 }, "record-ends", 4],
  ["a run that was ended early", { measured: ["S 1", "S 1"], isTerminated: true }, { count: 9 }, "Successful", null],
  [
    "NaN compares false",
    { measured: ["S NaN"], metric: { successCondition: "", count: 1 } },
    { successCondition: "result[0] >= 0" },
    "Failed",
    1,
  ],
  [
    "an error of the source stays one",
    { measured: ["E", "S 1", "S 1", "S 1", "S 1"] },
    { consecutiveErrorLimit: 0 },
    "Error",
    1,
  ],
  [
    "four errors in a row are allowed",
    { measured: ["E", "E", "E", "E", "S 1"], metric: { count: 1, consecutiveErrorLimit: 9 } },
    { consecutiveErrorLimit: null },
    "Successful",
    null,
  ],
  [
    "inconclusive",
    { measured: passed },
    { failureCondition: "result[0] < 0.5", successCondition: "result[0] >= 0.96" },
    "Inconclusive",
    4,
  ],
  [
    "a gap that could matter",
    { measured: ["S 1", "-", "S 1", "S 1"] },
    { successCondition: "result[0] > 0.9" },
    "gap",
    null,
  ],
  [
    "a gap after the end",
    { measured: ["S 1", "S 0.95", "-", "S 1"] },
    { successCondition: "result[0] > 0.95" },
    "Failed",
    2,
  ],
  [
    "a gap of which the counters tell",
    { measured: ["S 1", "-", "S 1", "S 1"], stored: { Successful: 3, Failed: 0, Error: 0, Inconclusive: 0 } },
    { failureLimit: 2 },
    "Successful",
    null,
  ],
  [
    "a value that is not stored and could matter",
    { measured: ["S", "S 1", "S 1", "S 1"] },
    { successCondition: "result[0] > 0.9" },
    "value",
    1,
  ],
  [
    "a value that is not stored, under the same conditions",
    { measured: ["S", "S 1", "S 1", "S 1"] },
    { failureLimit: 1 },
    "Successful",
    null,
  ],
  ["a shorter interval", { measured: passed }, { interval: "30s" }, "schedule", 2],
  ["a shorter interval after the end", { measured: ["F 0.1"], phase: "Failed" }, { interval: "30s" }, "Failed", null],
  [
    "a longer interval",
    { measured: ["S 1", "F 0.1", "S 1", "S 1"], metric: { failureLimit: 1 } },
    { interval: "2m", failureLimit: 0, count: 2 },
    "Successful",
    2,
  ],
  ["a shorter delay", { measured: passed, metric: { initialDelay: "1m" } }, { initialDelay: null }, "schedule", 1],
  ["rules that are invalid", { measured: passed }, { count: 1, failureLimit: 2 }, "spec", null],
  [
    "a secret that is changed",
    { measured: passed, spec: { args: [{ name: "limit", valueFrom: { secretKeyRef: {} } }] } },
    { successCondition: "result[0] > {{args.limit}}" },
    "secret",
    1,
  ],
  [
    "another metric that would have continued",
    {
      measured: ["F 0.1"],
      phase: "Failed",
      metric: { count: 1 },
      spec: { metrics: [{ ...rate, count: 1 }, other] },
      others: [{ ...otherRecord, phase: "Successful" }],
    },
    { successCondition: "" },
    "others",
    1,
  ],
  [
    "another metric that had ended",
    {
      measured: ["F 0.1"],
      phase: "Failed",
      metric: { count: 1 },
      spec: {
        metrics: [
          { ...rate, count: 1 },
          { ...other, count: 4 },
        ],
      },
      others: [{ ...otherRecord, phase: "Successful" }],
    },
    { successCondition: "" },
    "Successful",
    1,
  ],
  [
    "another metric that ended the run",
    {
      measured: ["S 1", "S 1"],
      phase: "Failed",
      spec: { metrics: [rate, other] },
      others: [{ ...otherRecord, phase: "Failed", failed: 1 }],
    },
    { count: 9 },
    "Failed",
    null,
  ],
  [
    "an end before the last measurement, which is only counted, and at which another metric failed",
    {
      measured: ["E", "E", "-"],
      phase: "Failed",
      spec: { metrics: [rate, other] },
      others: [{ ...otherRecord, phase: "Failed", failed: 1 }],
    },
    { consecutiveErrorLimit: 1 },
    "Error",
    2,
  ],
  [
    "a dry run decides nothing",
    { measured: passed, spec: { dryRun: [{ metricName: "rate" }] } },
    { successCondition: "result[0] > 1" },
    "Successful",
    1,
  ],
];

describe("a back-test of one run", () => {
  it.each(cases)("%s", (_, run, proposal, verdict, firstDifference) => {
    const { proposed, firstDifference: difference } = backtest(run, proposal);
    expect("undecided" in proposed.run ? proposed.run.undecided.code : proposed.run.phase).toBe(verdict);
    expect(difference?.seq ?? null).toBe(firstDifference);
  });

  it("says which limit is broken, and where", () => {
    const { metric } = backtest({ measured: passed }, { successCondition: "result[0] > 0.95" }).proposed;
    expect(metric).toEqual({ phase: "Failed", seq: 4, message: "failed (1) > failureLimit (0)", isEndedByRun: false });
  });

  it("tells of a record that does not follow from its rules", () => {
    const { replayed } = backtest({ measured: ["S 0.1"], metric: { count: 1 } }, {});
    expect(replayed.run).toEqual({ phase: "Failed" });
  });
});

describe("the faults of a proposal", () => {
  it.each<[Proposal, string[]]>([
    [{}, []],
    [{ successCondition: "result[0] >= 0.95", failureLimit: 0, count: "3", interval: "1m30s" }, []],
    [{ successCondition: "{{args.condition}}" }, []],
    [{ successCondition: "len(result.items) > 0" }, []],
    ...["result == true", "!result", "not result", "result != false", "result == nil"].map(
      (successCondition): [Proposal, string[]] => [{ successCondition }, []],
    ),
    [{ successCondition: "result[0] >=" }, ["successCondition 1:12"]],
    [{ failureCondition: "result[0] > \n frob(1)" }, ["failureCondition 2:2"]],
    [{ interval: "90" }, ["interval"]],
    [{ initialDelay: 30 }, ["initialDelay"]],
    [{ failureLimit: -2 }, ["failureLimit"]],
    [{ failureLimit: -1 }, []],
    [{ count: "many", inconclusiveLimit: -1 }, ["inconclusiveLimit", "count"]],
  ])("%j", (proposal, faults) => {
    const found = findFaults(proposal).map(({ field, position }) =>
      position === undefined ? field : `${field} ${position.line}:${position.column}`,
    );
    expect(found).toEqual(faults);
  });
});

describe("a proposal that the languages of controllers evaluate differently", () => {
  const proposal: Proposal = { successCondition: "max(result) < 3", consecutiveErrorLimit: 0 };

  it.each([
    ["1.10.2", { phase: "Successful" }],
    ["v1.9.3+d1a2b3c", { phase: "Error" }],
  ])("is evaluated as version %s does", (version, verdict) => {
    expect(backtest({ measured: passed }, proposal, version).proposed.metric).toMatchObject(verdict);
  });

  it("is undecided if the version is not known", () => {
    expect(backtest({ measured: passed }, proposal).proposed.metric).toMatchObject({
      undecided: { code: "expression", text: expect.stringContaining("the version is not known") },
    });
  });
});
