import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { withTimes } from "#test/fixtures/conformance/offset-times.ts";
import { type Measure, reconcileRun, trimMeasurements } from "./reconcile-run.ts";
import type { AnalysisPhase, AnalysisRunSpec, AnalysisRunStatus, MetricResult, RunSummary } from "./types.ts";

describe("reconcileRun", () => {
  type Case = {
    id: string;
    spec: Omit<AnalysisRunSpec, "dryRun"> & { dryRun?: string[] };
    status: unknown;
    providerMock: { run?: AnalysisPhase; resume?: AnalysisPhase };
    expect: {
      phase?: AnalysisPhase;
      message?: string;
      completedAt?: "now" | null;
      dryRunSummary?: RunSummary;
      metricMessages?: Record<string, string>;
      metricPhases?: Record<string, AnalysisPhase>;
      measurementCount?: Record<string, number>;
      counters?: Record<string, Partial<MetricResult>>;
    };
  };

  const now = Date.parse("2026-01-01T00:00:00Z");

  it.each(loadCases<Case>("analysis-run-reconcile"))("$id", (testCase) => {
    const spec = { ...testCase.spec, dryRun: testCase.spec.dryRun?.map((metricName) => ({ metricName })) };
    const { run, resume } = testCase.providerMock;
    const measure: Measure = ({ inFlight }) => {
      const phase = inFlight === undefined ? run : resume;
      if (phase === undefined) throw new Error("the case takes no such measurement");
      return { ...inFlight, phase };
    };
    const { status } = reconcileRun({ spec, status: withTimes<AnalysisRunStatus>(testCase.status, now), now, measure });

    const { expect: expected } = testCase;
    if (expected.phase !== undefined) expect(status.phase).toBe(expected.phase);
    if (expected.message !== undefined) expect(status.message).toBe(expected.message);
    if (expected.completedAt === null) expect(status.completedAt).toBeUndefined();
    if (expected.completedAt === "now") expect(status.completedAt).toBe("2026-01-01T00:00:00Z");
    if (expected.dryRunSummary !== undefined) expect(status.dryRunSummary).toEqual(expected.dryRunSummary);
    const resultOf = (name: string) => status.metricResults?.find((result) => result.name === name);
    for (const [name, message] of Object.entries(expected.metricMessages ?? {})) {
      expect(resultOf(name)?.message).toBe(message);
    }
    for (const [name, phase] of Object.entries(expected.metricPhases ?? {})) expect(resultOf(name)?.phase).toBe(phase);
    for (const [name, count] of Object.entries(expected.measurementCount ?? {})) {
      expect(resultOf(name)?.measurements).toHaveLength(count);
    }
    for (const [name, counters] of Object.entries(expected.counters ?? {})) {
      expect(resultOf(name)).toMatchObject(counters);
    }
    expect(Object.keys(expected).length).toBeGreaterThan(0);
  });

  const spec: AnalysisRunSpec = {
    metrics: [
      { name: "rate", interval: "1m", count: 2, failureLimit: 1, provider: { web: {} } },
      { name: "slow", provider: { job: {} } },
    ],
  };

  it("plays a run from start to verdict", () => {
    const outcomes: Record<string, AnalysisPhase[]> = { rate: ["Failed", "Failed"], slow: ["Running", "Inconclusive"] };
    const terminated: string[] = [];
    const measure: Measure = ({ metric, inFlight, terminating }) => {
      if (terminating) terminated.push(metric.name);
      return { ...inFlight, startedAt: "2026-01-01T00:00:00Z", phase: outcomes[metric.name]?.shift() ?? "Error" };
    };
    const first = reconcileRun({
      spec,
      status: {},
      now,
      measure: ({ metric, ...task }) => {
        const taken = measure({ metric, ...task });
        return taken.phase === "Running" ? { ...taken, resumeAt: "2026-01-01T01:00:00Z" } : taken;
      },
    });
    expect(first.status).toMatchObject({ phase: "Running", message: "", startedAt: "2026-01-01T00:00:00Z" });
    expect(first.nextAt).toBe(now + 60_000);
    const second = reconcileRun({ spec, status: first.status, now: now + 61_000, measure });
    expect(second.status.phase).toBe("Running");
    expect(second.status.metricResults?.[0]?.phase).toBe("Failed");
    const third = reconcileRun({ spec, status: second.status, now: now + 62_000, measure });
    expect(terminated).toEqual(["slow"]);
    expect(third.status).toMatchObject({
      phase: "Failed",
      message: 'Metric "rate" assessed Failed due to failed (2) > failureLimit (1)',
      completedAt: "2026-01-01T00:01:02Z",
      runSummary: { count: 2, successful: 0, failed: 1, inconclusive: 1, error: 0 },
    });
    expect(third.status.metricResults?.[1]).toMatchObject({ phase: "Inconclusive", message: "Metric Terminated" });
    expect(reconcileRun({ spec, status: third.status, now, measure })).toEqual({ status: third.status });
  });

  it("ends an invalid spec in Error without a completion time", () => {
    const { status } = reconcileRun({ spec: { metrics: [] }, status: {}, now, measure: () => ({ phase: "Running" }) });
    expect(status).toEqual({ phase: "Error", message: "Analysis spec invalid: no metrics specified" });
  });
});

describe("trimMeasurements", () => {
  type Case = {
    id: string;
    metricResults: { name: string; values: string[] }[];
    defaultLimit: number;
    retentionByMetric: Record<string, number>;
    expect: Record<string, string[]>;
  };

  it.each(loadCases<Case>("analysis-measurement-trim"))("$id", (testCase) => {
    const results = testCase.metricResults.map(({ name, values }) => ({ name, measurements: values.map(measured) }));
    const limits = new Map(Object.entries(testCase.retentionByMetric));
    const trimmed = trimMeasurements(results, limits, testCase.defaultLimit);
    const kept = trimmed.map(({ name, measurements }) => [name, (measurements ?? []).map(({ value }) => value)]);
    expect(Object.fromEntries(kept)).toEqual(testCase.expect);
  });

  it("keeps the last ten by default, also where a rule's limit is 0", () => {
    const measurements = Array.from({ length: 12 }, (_, index) => measured(String(index)));
    const [trimmed] = trimMeasurements([{ name: "m", count: 12, measurements }], new Map([["m", 0]]));
    expect(trimmed).toEqual({ name: "m", count: 12, measurements: measurements.slice(2) });
  });

  function measured(value: string) {
    return { phase: "Successful", value } as const;
  }
});
