import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { assessMetric, metricFailureReason } from "./assess-metric.ts";
import type { AnalysisPhase, MetricResult, MetricSpec } from "./types.ts";

type Case = {
  id: string;
  metric: Partial<MetricSpec>;
  result: Partial<MetricResult>;
  terminating: boolean;
  expect: { phase: AnalysisPhase; message?: string };
};

it.each(loadCases<Case>("analysis-metric-assessment"))("$id", (testCase) => {
  const metric = { name: "m", ...testCase.metric };
  const result = { name: "m", ...testCase.result };
  expect(assessMetric({ metric, result, terminating: testCase.terminating }).phase).toBe(testCase.expect.phase);
});

it.each(loadCases<Case>("analysis-metric-failure-reason"))("$id", (testCase) => {
  const metric = { name: "m", ...testCase.metric };
  const result = { name: "m", ...testCase.result };
  expect(metricFailureReason(metric, result)).toEqual(testCase.expect);
});

describe("limits", () => {
  const measured = (phase: AnalysisPhase): Pick<MetricResult, "measurements"> => ({ measurements: [{ phase }] });

  it.each<[string, Partial<MetricSpec>, Partial<MetricResult>, AnalysisPhase, string | undefined]>([
    ["failureLimit 3 passes a third failure", { failureLimit: 3, interval: "1m" }, { failed: 3 }, "Running", undefined],
    [
      "failureLimit 3 ends at the fourth",
      { failureLimit: 3 },
      { failed: 4 },
      "Failed",
      "failed (4) > failureLimit (3)",
    ],
    ["failureLimit -1 never fails", { failureLimit: -1, interval: "1m" }, { failed: 99 }, "Running", undefined],
    ["failureLimit as text", { failureLimit: "1" }, { failed: 2 }, "Failed", "failed (2) > failureLimit (1)"],
    ["a limit that is no number is 0", { failureLimit: "x" }, { failed: 1 }, "Failed", "failed (1) > failureLimit (0)"],
    [
      "consecutiveErrorLimit 0 ends at the first error",
      { consecutiveErrorLimit: 0 },
      { consecutiveError: 1 },
      "Error",
      "consecutiveErrors (1) > consecutiveErrorLimit (0)",
    ],
    ["consecutiveSuccessLimit 0 is off", { consecutiveSuccessLimit: 0, interval: "1m" }, {}, "Running", undefined],
    [
      "errors override inconclusive and failed",
      {},
      { failed: 1, inconclusive: 1, consecutiveError: 5 },
      "Error",
      "consecutiveErrors (5) > consecutiveErrorLimit (4)",
    ],
    [
      "inconclusive overrides failed",
      {},
      { failed: 1, inconclusive: 1 },
      "Inconclusive",
      "inconclusive (1) > inconclusiveLimit (0)",
    ],
  ])("%s", (_, metric, counters, phase, message) => {
    const result = { name: "m", ...measured("Failed"), ...counters };
    const assessment = assessMetric({ metric: { name: "m", ...metric }, result, terminating: false });
    expect(assessment).toEqual(message === undefined ? { phase } : { phase, message });
  });

  it("keeps a completed phase whatever the counters say", () => {
    const result: MetricResult = { name: "m", phase: "Successful", failed: 9, ...measured("Failed") };
    expect(assessMetric({ metric: { name: "m" }, result, terminating: false }).phase).toBe("Successful");
  });
});
