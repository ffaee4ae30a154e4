import fc from "fast-check";
import { evaluateResult } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { type Measure, reconcileRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import type { RecordedRun } from "#lib/domain/argo/analysis/replay-metric.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, Measurement, MetricSpec } from "#lib/domain/argo/analysis/types.ts";

const condition = (operator: string) =>
  fc.option(
    fc.constantFrom(0, 0.25, 0.5, 0.75, 1).map((limit) => `result[0] ${operator} ${limit}`),
    { nil: undefined },
  );
const limit = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });

export const arbitraryRules = fc.record({
  initialDelay: fc.constantFrom("", "90s"),
  count: fc.integer({ min: 4, max: 12 }),
  failureLimit: fc.option(fc.integer({ min: -1, max: 2 }), { nil: undefined }),
  inconclusiveLimit: limit,
  consecutiveErrorLimit: limit,
  consecutiveSuccessLimit: fc.integer({ min: 1, max: 2 }),
  successCondition: condition(">="),
  failureCondition: condition("<"),
});

const answer = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("[0]", "[0.25]", "[0.4]", "[0.5]", "[0.75]", "[1]") },
  { weight: 1, arbitrary: fc.constantFrom("[NaN]", "[]", "[0.5,NaN]") },
  { weight: 1, arbitrary: fc.constant("down") },
);

/** What a run is played from. */
export const arbitraryPlan = fc.record({
  metrics: fc.array(arbitraryRules, { minLength: 1, maxLength: 3 }),
  dryRun: fc.option(fc.constantFrom("^m0$", ".*"), { nil: undefined }),
  /** The reconcile at which someone ends the run. */
  terminateAt: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
});
export type Plan = typeof arbitraryPlan extends fc.Arbitrary<infer Value> ? Value : never;

export function specOf({ metrics, dryRun }: Plan): AnalysisRunSpec {
  return {
    metrics: metrics.map(
      (rules, index): MetricSpec => ({ interval: "60s", ...rules, name: `m${index}`, provider: { prometheus: {} } }),
    ),
    ...(dryRun === undefined ? {} : { dryRun: [{ metricName: dryRun }] }),
  };
}

function judge({ successCondition, failureCondition }: MetricSpec, text: string, startedAt: string): Measurement {
  if (text === "down") return { phase: "Error", message: "connection refused", startedAt, finishedAt: startedAt };
  const value =
    text === "[]"
      ? []
      : text
          .slice(1, -1)
          .split(",")
          .map((each) => (each === "NaN" ? each : Number(each)));
  const result = { type: "[]float64" as const, value };
  const { phase, message } = evaluateResult({ result, successCondition, failureCondition });
  return { phase, message, startedAt, finishedAt: startedAt, ...(phase === "Error" ? {} : { value: text }) };
}

const roundMs = 61_000;
export const playStartedAt = Date.parse("2026-01-01T00:00:00Z");

/**
 * Plays a run to its end as the controller does, keeping every measurement as the recorder does. What a metric measures
 * depends only on the metric and the time, so that plans which differ in their rules see the same values.
 */
export function playRun(given: Plan): RecordedRun & { endedAt: number } {
  let spec = specOf(given);
  let status: AnalysisRunStatus = {};
  let now = playStartedAt;
  let round = 0;
  const kept = new Map<string, Measurement[]>(spec.metrics.map(({ name }) => [name, []]));
  const measure: Measure = ({ metric }) => {
    const place = round * 3 + Number(metric.name.slice(1));
    const text = given.answers[place % given.answers.length] ?? "down";
    const measurement = judge(metric, text, new Date(now).toISOString());
    kept.get(metric.name)?.push(measurement);
    return measurement;
  };
  for (; !isCompleted(status.phase) && round < 500; round++) {
    if (round === given.terminateAt) spec = { ...spec, terminate: true };
    ({ status } = reconcileRun({ spec, status, now, measure }));
    now += roundMs;
  }
  return {
    spec,
    phase: status.phase ?? "Pending",
    message: status.message ?? "",
    endedAt: now - roundMs,
    metrics: spec.metrics.map(({ name }) => {
      const result = status.metricResults?.find((each) => each.name === name) ?? { name };
      const measurements = (kept.get(name) ?? []).map((each, index) => ({ ...each, seq: index + 1 }));
      return { ...result, measurements, lost: 0, isInconsistent: false };
    }),
  };
}
