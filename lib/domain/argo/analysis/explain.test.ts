import { describe, expect, it } from "vitest";
import { explainMetric, explainRun, explainStart } from "./explain.ts";
import type { MetricResult, MetricSpec } from "./types.ts";

describe("explainMetric", () => {
  const done: MetricResult["measurements"] = [{ phase: "Successful" }];

  it.each<[Partial<MetricSpec>, Partial<MetricResult>, string]>([
    [{}, {}, "success-rate has not been measured yet."],
    [{ initialDelay: "2m" }, {}, "success-rate has not been measured yet; it starts 2m after the run."],
    [
      { inconclusiveLimit: 2 },
      { inconclusive: 3, count: 5, measurements: done },
      "3 of 5 success-rate measurements were inconclusive (2 allowed).",
    ],
    [
      { failureLimit: 2 },
      { failed: 3, count: 5, measurements: done },
      "3 of 5 success-rate measurements failed (2 allowed).",
    ],
    [{}, { failed: 1, count: 1, measurements: done }, "1 of 1 success-rate measurement failed (0 allowed)."],
    [{}, { consecutiveError: 5, error: 5, measurements: done }, "success-rate had 5 errors in a row (4 allowed)."],
    [
      { consecutiveSuccessLimit: 3, failureLimit: -1, interval: "1m" },
      { consecutiveSuccess: 3, successful: 4, count: 6, failed: 2, measurements: done },
      "success-rate had 3 successes in a row; 3 were needed.",
    ],
    [
      { consecutiveSuccessLimit: 3, failureLimit: -1, interval: "1m", count: 4 },
      { consecutiveSuccess: 1, successful: 2, failed: 2, count: 4, measurements: done },
      "success-rate was measured 4 times with 1 success in a row at the end; 3 in a row were needed.",
    ],
    [
      { consecutiveSuccessLimit: 3, failureLimit: 2, interval: "1m", count: 4 },
      { consecutiveSuccess: 1, successful: 2, failed: 2, count: 4, measurements: done },
      "success-rate was measured 4 times with neither 3 successes in a row nor more than 2 failures.",
    ],
    [
      { failureLimit: 1, interval: "1m", count: 3 },
      { successful: 2, failed: 1, count: 3, measurements: done },
      "success-rate: 2 of 3 successful, 1 failed; failures allowed: 1.",
    ],
    [
      { interval: "1m" },
      { successful: 2, count: 2, error: 1, measurements: done },
      "success-rate is still being measured: 2 of 2 successful, 1 error; it continues until the run ends.",
    ],
    [
      { interval: "1m" },
      { phase: "Successful" },
      "success-rate was never measured: the run ended first, which counts as success.",
    ],
    [
      { interval: "1m" },
      { phase: "Successful", count: 2, successful: 2, measurements: done },
      "success-rate: 2 of 2 passed before measuring stopped.",
    ],
  ])("%j with %j", (metric, result, text) => {
    const name = "success-rate";
    expect(explainMetric({ metric: { name, ...metric }, result: { name, ...result } })).toBe(text);
  });

  describe("explainRun", () => {
    const spec = { metrics: [{ name: "a", inconclusiveLimit: 1 }, { name: "b" }] };

    it("speaks of the metric that decided", () => {
      const metricResults: MetricResult[] = [
        { name: "a", phase: "Inconclusive", inconclusive: 2, count: 3, measurements: done },
        { name: "b", phase: "Successful", successful: 1, count: 1, measurements: done },
      ];
      expect(explainRun(spec, { phase: "Inconclusive", metricResults })).toBe(
        "2 of 3 a measurements were inconclusive (1 allowed).",
      );
      expect(explainRun(spec, { phase: "Running", metricResults: metricResults.slice(0, 1) })).toBe(
        "1 of 2 metrics not finished.",
      );
    });

    it("says when a success stands on nothing", () => {
      expect(explainRun({ ...spec, terminate: true }, { phase: "Successful", metricResults: [] })).toBe(
        "No measurement was successful, but no limit was exceeded until the run was stopped, so the run counts as Successful.",
      );
      const dry: MetricResult[] = [{ name: "a", phase: "Failed", dryRun: true, failed: 1, count: 1 }];
      expect(explainRun(spec, { phase: "Successful", metricResults: dry })).toContain(
        "1 of 2 metrics did not count (dry run)",
      );
    });

    it("does not call a run early that was stopped with its rollout", () => {
      const metricResults: MetricResult[] = [
        { name: "a", phase: "Successful", successful: 2, count: 2, measurements: done },
        { name: "b", phase: "Successful", successful: 3, count: 3, measurements: done },
      ];
      expect(explainRun({ ...spec, terminate: true }, { phase: "Successful", metricResults })).toBe(
        "Both metrics stayed within the limits until the run was stopped, with 5 successful measurements.",
      );
    });

    it("does not defend a success that its own counters contradict", () => {
      const metricResults: MetricResult[] = [
        { name: "a", phase: "Successful", inconclusive: 2, count: 2, measurements: done },
        { name: "b", phase: "Successful", successful: 1, count: 1, measurements: done },
      ];
      expect(explainRun(spec, { phase: "Successful", metricResults })).toBe(
        "Reported Successful, although a exceeded a limit.",
      );
    });

    it("falls back on the recorded message", () => {
      const message = "Analysis spec invalid: no metrics specified";
      expect(explainRun({ metrics: [] }, { phase: "Error", message })).toBe(message);
    });
  });
});

describe("explainStart", () => {
  it.each<[Parameters<typeof explainStart>[0], string | undefined]>([
    [{ metrics: [{ name: "a" }] }, undefined],
    [{ startingStep: 0, metrics: [{ name: "a", initialDelay: "" }] }, undefined],
    [{ startingStep: 2, metrics: [] }, "It starts at step 3 of the rollout (startingStep 2)."],
    [
      { metrics: [{ name: "a", initialDelay: "5m" }, { name: "b" }] },
      "a is first measured 5m after the run starts (initialDelay).",
    ],
  ])("%j", (input, text) => {
    expect(explainStart(input)).toBe(text);
  });
});
