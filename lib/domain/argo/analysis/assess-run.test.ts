import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { assessRun } from "./assess-run.ts";
import type { AnalysisPhase, MetricResult, RunSummary } from "./types.ts";

type Case = {
  id: string;
  spec: { metrics: { name: string }[]; terminate: boolean; dryRunMetricNames: string[] };
  metricResults: MetricResult[];
  expect: {
    phase: AnalysisPhase;
    message: string;
    metricPhases?: Record<string, AnalysisPhase>;
    dryRunSummary?: RunSummary;
  };
};

it.each(loadCases<Case>("analysis-run-assessment"))("$id", (testCase) => {
  const { metrics, terminate, dryRunMetricNames } = testCase.spec;
  const spec = { metrics, terminate, dryRun: dryRunMetricNames.map((metricName) => ({ metricName })) };
  const assessed = assessRun({ spec, metricResults: testCase.metricResults });
  expect({ phase: assessed.phase, message: assessed.message }).toEqual({
    phase: testCase.expect.phase,
    message: testCase.expect.message,
  });
  for (const [name, phase] of Object.entries(testCase.expect.metricPhases ?? {})) {
    expect(assessed.metrics[name]?.phase).toBe(phase);
  }
  if (testCase.expect.dryRunSummary !== undefined) {
    expect(assessed.dryRunSummary).toEqual(testCase.expect.dryRunSummary);
  }
});

it("counts a metric that ended Inconclusive at its count as successful, and leaves no message", () => {
  const metric = { name: "m", count: 2, interval: "1m", failureLimit: 1, consecutiveSuccessLimit: 2 };
  const result: MetricResult = {
    name: "m",
    phase: "Running",
    count: 2,
    successful: 1,
    failed: 1,
    measurements: [{ phase: "Failed", message: "late" }],
  };
  const assessed = assessRun({ spec: { metrics: [metric] }, metricResults: [result] });
  expect(assessed).toMatchObject({
    phase: "Inconclusive",
    message: "",
    runSummary: { successful: 1, inconclusive: 0 },
  });
  expect(assessed.metrics.m).toEqual({ phase: "Inconclusive", message: "late" });
});

it("words a terminated run, and lets a metric's own message replace that", () => {
  const spec = { metrics: [{ name: "m", interval: "1m" }] };
  expect(assessRun({ spec, metricResults: [], terminate: true })).toMatchObject({
    phase: "Successful",
    message: "Run Terminated",
  });
  const failed: MetricResult = { name: "m", failed: 1, measurements: [{ phase: "Failed" }] };
  expect(assessRun({ spec, metricResults: [failed], terminate: true })).toMatchObject({
    phase: "Failed",
    message: 'Metric "m" assessed Failed due to failed (1) > failureLimit (0)',
  });
});

it("names the dry-run rule that matches no metric", () => {
  const spec = { metrics: [{ name: "m" }], dryRun: [{ metricName: "*" }] };
  expect(assessRun({ spec, metricResults: [] })).toMatchObject({
    phase: "Error",
    message: "Analysis spec invalid: dryRun[0]: Rule didn't match any metric name(s)",
  });
});

it("keeps a metric named like a built-in property", () => {
  const spec = { metrics: [{ name: "__proto__", interval: "1m" }] };
  const metricResults: MetricResult[] = [{ name: "__proto__", measurements: [{ phase: "Failed" }], failed: 1 }];
  const assessed = assessRun({ spec, metricResults });
  expect(Object.entries(assessed.metrics)).toEqual([["__proto__", { phase: "Failed" }]]);
});
