import { parseDurationMs } from "#lib/util/duration.ts";
import { isCountReached } from "./assess-metric.ts";
import { isCompleted, isTerminating } from "./phase.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, Measurement, MetricResult, MetricSpec } from "./types.ts";

/** analysis/analysis.go `DefaultErrorRetryInterval`: applies after an Error for any interval of the metric. */
export const errorRetryIntervalMs = 10_000;

export type DueMetric = {
  readonly metric: MetricSpec;
  /** The in-flight measurement to resume, or to terminate if the run is terminating. */
  readonly inFlight?: Measurement;
};

type Run = { readonly spec: AnalysisRunSpec; readonly status: AnalysisRunStatus };

/**
 * Returns the metrics to measure or resume at `now` (epoch milliseconds), in the order of the spec. Metrics must have
 * their arguments resolved. A metric whose `initialDelay` or `interval` is not a duration is never due. Mirrors
 * argo-rollouts analysis/analysis.go `generateMetricTasks`.
 */
export function dueMetrics(run: Run, now: number): readonly DueMetric[] {
  const results = resultsByName(run.status);
  const terminating = isTerminating(run.spec, run.status.metricResults ?? []);
  return run.spec.metrics.flatMap((metric) => {
    const result = results.get(metric.name);
    if (isCompleted(result?.phase)) return [];
    const last = result?.measurements?.at(-1);
    if (result !== undefined && last !== undefined && last.finishedAt === undefined) {
      const resumeAt = terminating ? undefined : parseTime(last.resumeAt);
      return resumeAt !== undefined && resumeAt > now ? [] : [{ metric, inFlight: last }];
    }
    if (terminating) return [];
    if (result === undefined || last === undefined) return isDelayOver(metric, run.status, now) ? [{ metric }] : [];
    if (isCountReached(metric, result)) return [];
    const dueAfter = nextDue(metric, last, errorRetryIntervalMs);
    return dueAfter !== undefined && now > dueAfter ? [{ metric }] : [];
  });
}

/**
 * Returns when the run should be reconciled next (epoch milliseconds). Undefined if nothing is scheduled by time: all
 * is complete, or an in-flight measurement has no `resumeAt`. May be in the past.
 * Mirrors argo-rollouts analysis/analysis.go `calculateNextReconcileTime`.
 */
export function nextReconcileAt(run: Run, now: number): number | undefined {
  const results = resultsByName(run.status);
  const times = run.spec.metrics.flatMap((metric) => {
    const time = nextTimeOf(metric, results.get(metric.name), run.status, now);
    return time === undefined ? [] : [time];
  });
  return times.length === 0 ? undefined : times.reduce((earliest, time) => Math.min(earliest, time));
}

function nextTimeOf(
  metric: MetricSpec,
  result: MetricResult | undefined,
  status: AnalysisRunStatus,
  now: number,
): number | undefined {
  if (isCompleted(result?.phase)) return undefined;
  const last = result?.measurements?.at(-1);
  if (result === undefined || last === undefined) {
    const delay = hasText(metric.initialDelay) ? parseDurationMs(metric.initialDelay) : undefined;
    return delay === undefined ? undefined : (parseTime(status.startedAt) ?? now) + delay;
  }
  if (last.finishedAt === undefined) return parseTime(last.resumeAt);
  return isCountReached(metric, result) ? undefined : nextDue(metric, last, undefined);
}

/** Returns the instant after which the next measurement is due; `withoutInterval` is the wait if no interval is set. */
function nextDue(metric: MetricSpec, last: Measurement, withoutInterval: number | undefined): number | undefined {
  const finishedAt = parseTime(last.finishedAt);
  let intervalMs = withoutInterval;
  if (last.phase === "Error") intervalMs = errorRetryIntervalMs;
  else if (hasText(metric.interval)) intervalMs = parseDurationMs(metric.interval);
  return finishedAt === undefined || intervalMs === undefined ? undefined : finishedAt + intervalMs;
}

function isDelayOver(metric: MetricSpec, status: AnalysisRunStatus, now: number): boolean {
  if (!hasText(metric.initialDelay)) return true;
  const startedAt = parseTime(status.startedAt);
  const delayMs = parseDurationMs(metric.initialDelay);
  return startedAt !== undefined && delayMs !== undefined && startedAt + delayMs <= now;
}

function resultsByName(status: AnalysisRunStatus): ReadonlyMap<string, MetricResult> {
  return new Map((status.metricResults ?? []).map((result) => [result.name, result]));
}

function parseTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

function hasText(text: string | undefined): text is string {
  return text !== undefined && text !== "";
}
