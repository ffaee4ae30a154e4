import { assessRun } from "./assess-run.ts";
import { applyMeasurement } from "./counters.ts";
import { dryRunMetrics, measurementRetentionLimits } from "./metric-name-rules.ts";
import { isCompleted, isTerminating } from "./phase.ts";
import { createSecretlessResolver, resolveAllMetricArgs } from "./resolve-metric-args.ts";
import { dueMetrics, nextReconcileAt } from "./schedule.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, Measurement, MetricResult, MetricSpec } from "./types.ts";
import { validateMetrics } from "./validate-metrics.ts";

/** Takes, resumes or terminates one measurement. `terminating` selects between the latter two. */
export type Measure = (task: {
  readonly metric: MetricSpec;
  readonly inFlight?: Measurement;
  readonly terminating: boolean;
}) => Measurement;

/**
 * Runs one reconcile of an incomplete run: takes the measurements that are due, counts, assesses, trims. Times are
 * written in whole seconds as Kubernetes does. `nextAt` (epoch milliseconds) is the time of the next reconcile. A spec
 * that cannot be resolved or is not valid ends the run in Error without `completedAt`, as upstream does, so that its
 * TTL never starts.
 * Mirrors argo-rollouts analysis/analysis.go `reconcileAnalysisRun`.
 */
export function reconcileRun(input: {
  readonly spec: AnalysisRunSpec;
  readonly status: AnalysisRunStatus;
  readonly now: number;
  readonly measure: Measure;
}): { readonly status: AnalysisRunStatus; readonly nextAt?: number } {
  if (isCompleted(input.status.phase)) return { status: input.status };
  const prepared = prepareRun(input.spec);
  if ("error" in prepared) return { status: { ...input.status, phase: "Error", message: prepared.error } };
  const { spec, dryRun, limits } = prepared;

  const measured = takeMeasurements({ ...input, spec, dryRun });
  const assessed = assessRun({ spec, metricResults: measured, dryRun });
  const startedAt = input.status.startedAt ?? formatTime(input.now);
  const status: AnalysisRunStatus = {
    ...input.status,
    startedAt,
    runSummary: assessed.runSummary,
    dryRunSummary: assessed.dryRunSummary,
    metricResults: trimMeasurements(assessed.metricResults, limits),
  };
  if (assessed.phase === input.status.phase) return { status, nextAt: nextReconcileAt({ spec, status }, input.now) };
  const completedAt = isCompleted(assessed.phase) ? (status.completedAt ?? formatTime(input.now)) : status.completedAt;
  return {
    status: { ...status, phase: assessed.phase, message: assessed.message, completedAt },
    nextAt: nextReconcileAt({ spec, status }, input.now),
  };
}

export type PreparedRun = {
  readonly spec: AnalysisRunSpec;
  readonly dryRun: ReadonlySet<string>;
  readonly limits: ReadonlyMap<string, number>;
};

/**
 * Returns the spec with arguments filled in and its rules applied to metric names, or the text with which a run ends in
 * Error.
 */
export function prepareRun(spec: AnalysisRunSpec): PreparedRun | { readonly error: string } {
  const resolved = resolveAllMetricArgs(spec.metrics, createSecretlessResolver(spec.args));
  if ("error" in resolved) return { error: `Unable to resolve metric arguments: ${resolved.error}` };
  const metrics = resolved.value;
  const invalid = validateMetrics(metrics);
  if (invalid !== undefined) return { error: `Analysis spec invalid: ${invalid}` };
  const dryRun = dryRunMetrics(spec.dryRun, metrics);
  if ("error" in dryRun) return { error: `Analysis spec invalid: ${dryRun.error}` };
  const retention = measurementRetentionLimits(spec.measurementRetention, metrics);
  if ("error" in retention) return { error: `Analysis spec invalid: ${retention.error}` };
  return { spec: { ...spec, metrics }, dryRun: new Set(dryRun.matched.keys()), limits: retention.matched };
}

function takeMeasurements(input: {
  readonly spec: AnalysisRunSpec;
  readonly status: AnalysisRunStatus;
  readonly now: number;
  readonly measure: Measure;
  readonly dryRun: ReadonlySet<string>;
}): readonly MetricResult[] {
  const before = input.status.metricResults ?? [];
  const terminating = isTerminating(input.spec, before);
  const results = new Map(before.map((result) => [result.name, result]));
  for (const task of dueMetrics({ spec: input.spec, status: input.status }, input.now)) {
    const { name } = task.metric;
    const result = results.get(name) ?? { name, phase: "Running", dryRun: input.dryRun.has(name) };
    const taken = input.measure({ ...task, terminating });
    const isTerminated = task.inFlight !== undefined && terminating;
    const measurement = finish(taken, { isTerminated, now: input.now });
    results.set(name, applyMeasurement(result, measurement));
  }
  return [...results.values()];
}

function finish(
  measurement: Measurement,
  input: { readonly isTerminated: boolean; readonly now: number },
): Measurement {
  const { phase } = measurement;
  const isQuiet = input.isTerminated && (phase === "Successful" || phase === "Inconclusive");
  const message = isQuiet ? "Metric Terminated" : measurement.message;
  if (!isCompleted(phase)) return { ...measurement, message };
  return { ...measurement, message, finishedAt: measurement.finishedAt ?? formatTime(input.now) };
}

function formatTime(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

/** analysis/analysis.go `DefaultMeasurementHistoryLimit`. */
const defaultMeasurementLimit = 10;

/**
 * Drops the oldest measurements beyond a metric's limit; counters stay. `limits` come from the retention rules, where
 * a limit of 0 or below means the default (analysis/analysis.go `garbageCollectMeasurements`).
 */
export function trimMeasurements(
  results: readonly MetricResult[],
  limits: ReadonlyMap<string, number>,
  defaultLimit: number = defaultMeasurementLimit,
): readonly MetricResult[] {
  return results.map((result) => {
    const own = limits.get(result.name) ?? 0;
    const limit = own > 0 ? own : defaultLimit;
    const measurements = result.measurements ?? [];
    return measurements.length > limit ? { ...result, measurements: measurements.slice(-limit) } : result;
  });
}
