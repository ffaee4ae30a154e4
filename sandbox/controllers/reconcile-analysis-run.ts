import { effectiveCount } from "#lib/domain/argo/analysis/int-or-string.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import { type Measure, reconcileRun } from "#lib/domain/argo/analysis/reconcile-run.ts";
import { isTtlExceeded, ttlSeconds } from "#lib/domain/argo/analysis/run-deletion.ts";
import type {
  AnalysisPhase,
  AnalysisRunSpec,
  AnalysisRunStatus,
  Measurement,
  MetricResult,
  MetricSpec,
} from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { formatTime, parseDurationMs, parseTime } from "./clock.ts";
import { identifyRun, type MetricSource, type RunIdentity, takeMeasurement } from "./metric-provider.ts";
import { type ReconcileContext, ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { staleRun, totalOf } from "./taken-again.ts";

/**
 * When each metric was last measured, to the millisecond. The objects store whole seconds, which are too coarse for
 * intervals below a second; after a restart, the objects' times are used until the next measurement.
 */
export type MeasurementTimes = Map<string, string>;

/** The verdict that a run gets regardless of its measurements; undefined if the engine decides. */
export type ForcedVerdicts = (run: RunIdentity) => AnalysisPhase | undefined;

export type RunContext = ReconcileContext & {
  source: MetricSource;
  times: MeasurementTimes;
  forced: ForcedVerdicts;
};

/**
 * Does one pass over an AnalysisRun, judged by our engine unless a scenario forces the verdict. Returns when to look
 * again, in ms.
 */
export function reconcileAnalysisRun(context: RunContext, object: KubeObject): number | undefined {
  const { store, nowMs, times } = context;
  const spec = object.spec as AnalysisRunSpec;
  const status = (object.status ?? {}) as AnalysisRunStatus;
  if (isCompleted(status.phase)) {
    forgetTimes(times, object.metadata.uid);
    return expireRun(context, object);
  }
  const first = measureRun(context, { spec, object, status });
  const stale = first.hasMeasured ? staleRun(object) : undefined;
  const { next, nextAt } =
    stale === undefined ? first : measureRun(context, { spec, object, status: stale.status as AnalysisRunStatus });
  const plain = JSON.parse(JSON.stringify(next)) as Record<string, unknown>;
  store.update("analysisruns", { ...(stale ?? object), status: plain }, { manager: ROLLOUTS_MANAGER });
  announce(context, object, next);
  return nextAt === undefined ? undefined : Math.max(nextAt - nowMs, 0) + 1;
}

/**
 * Takes the measurements that are due and returns the new status; `status` is the one that the controller believes to
 * be the latest.
 */
function measureRun(
  context: RunContext,
  run: { spec: AnalysisRunSpec; object: KubeObject; status: AnalysisRunStatus },
): { next: AnalysisRunStatus; nextAt: number | undefined; hasMeasured: boolean } {
  const { spec, object, status } = run;
  const queries = new Map<string, string>();
  const forced = context.forced(identifyRun(context.store, object));
  const measure = createMeasure({ context, object, queries });
  let hasMeasured = false;
  const { status: measured, nextAt } = reconcileRun({
    spec: scaleSpec(forced === undefined ? spec : withoutLimits(spec), context.speed),
    status: { ...status, metricResults: refineTimes(object, status, context.times) },
    now: context.nowMs,
    measure: (task) => {
      hasMeasured = true;
      return measure(task);
    },
  });
  const judged = forced === undefined ? measured : forceVerdict(measured, forced);
  const metricResults = (judged.metricResults ?? []).map((result) => storeResult(result, queries));
  return { next: { ...judged, metricResults }, nextAt, hasMeasured };
}

/**
 * Emits Events as a run and its metrics end (analysis/analysis.go recordAnalysisRunCompletionEvent, assessRunStatus).
 */
function announce({ events }: ReconcileContext, object: KubeObject, next: AnalysisRunStatus): void {
  const before = (object.status ?? {}) as AnalysisRunStatus;
  const isWarning = (phase: string | undefined) => phase === "Failed" || phase === "Error";
  for (const { name, phase } of next.metricResults ?? []) {
    const was = before.metricResults?.find((result) => result.name === name)?.phase;
    if (isCompleted(phase) && phase !== was) {
      const message = `Metric '${name}' Completed. Result: ${phase}`;
      events.emit(object, { reason: `Metric${phase}`, message, isWarning: isWarning(phase) });
    }
  }
  if (isCompleted(next.phase)) {
    const message = `Analysis Completed. Result: ${next.phase}`;
    events.emit(object, { reason: `AnalysisRun${next.phase}`, message, isWarning: isWarning(next.phase) });
  }
}

function createMeasure(input: { context: RunContext; object: KubeObject; queries: Map<string, string> }): Measure {
  const { context, object, queries } = input;
  const status = (object.status ?? {}) as AnalysisRunStatus;
  return ({ metric, inFlight, terminating }) => {
    const time = new Date(context.nowMs).toISOString();
    if (inFlight !== undefined && terminating) {
      return { ...inFlight, phase: "Successful", finishedAt: time };
    }
    const query = (metric.provider?.prometheus as { query?: string } | undefined)?.query;
    if (query !== undefined) {
      queries.set(metric.name, query);
    }
    const before = status.metricResults?.find(({ name }) => name === metric.name);
    const sequence = before === undefined ? 0 : totalOf(before);
    const taken = takeMeasurement({
      source: context.source,
      store: context.store,
      run: object,
      metric,
      sequence,
      nowMs: context.nowMs,
    });
    context.times.set(timeKey(object.metadata.uid, metric.name), time);
    return { ...taken, startedAt: time, finishedAt: time };
  };
}

/** Scales intervals and delays by the speed; text that is not a duration stays, so that validation rejects it. */
function scaleSpec(spec: AnalysisRunSpec, speed: number): AnalysisRunSpec {
  return speed === 1 ? spec : { ...spec, metrics: (spec.metrics ?? []).map((metric) => scaleMetric(metric, speed)) };
}

function scaleMetric(metric: MetricSpec, speed: number): MetricSpec {
  const scale = (duration: string | undefined) => {
    const durationMs = parseDurationMs(duration);
    return durationMs === undefined ? duration : `${Math.max(1, Math.round(durationMs / speed))}ms`;
  };
  return { ...metric, interval: scale(metric.interval), initialDelay: scale(metric.initialDelay) };
}

function refineTimes(object: KubeObject, status: AnalysisRunStatus, times: MeasurementTimes): MetricResult[] {
  return (status.metricResults ?? []).map((result) => {
    const precise = times.get(timeKey(object.metadata.uid, result.name));
    const last = result.measurements?.at(-1);
    if (precise === undefined || last?.finishedAt === undefined || last.finishedAt !== toSeconds(precise)) {
      return result;
    }
    return { ...result, measurements: [...(result.measurements ?? []).slice(0, -1), { ...last, finishedAt: precise }] };
  });
}

function storeResult(result: MetricResult, queries: Map<string, string>): MetricResult {
  const query = queries.get(result.name);
  const measurements = (result.measurements ?? []).map(storeMeasurement);
  return { ...result, measurements, ...(query === undefined ? {} : { metadata: { ResolvedPrometheusQuery: query } }) };
}

function storeMeasurement(measurement: Measurement): Measurement {
  return {
    ...measurement,
    startedAt: toSeconds(measurement.startedAt),
    finishedAt: toSeconds(measurement.finishedAt),
  };
}

function toSeconds(text: string | undefined): string | undefined {
  const epochMs = parseTime(text);
  return epochMs === undefined ? text : formatTime(epochMs);
}

function expireRun({ store, nowMs }: ReconcileContext, object: KubeObject): number | undefined {
  const { ttlStrategy } = object.spec as AnalysisRunSpec;
  const status = (object.status ?? {}) as AnalysisRunStatus;
  const completedAt = parseTime(status.completedAt);
  if (isTtlExceeded({ ttlStrategy, phase: status.phase, completedAt, now: nowMs })) {
    store.delete("analysisruns", object.metadata.namespace, object.metadata.name);
    return undefined;
  }
  const seconds = ttlSeconds(ttlStrategy, status.phase);
  return seconds === undefined || completedAt === undefined
    ? undefined
    : Math.max(completedAt + (seconds + 1) * 1000 - nowMs, 0) + 1;
}

function forgetTimes(times: MeasurementTimes, uid: string): void {
  for (const key of times.keys()) {
    if (key.startsWith(`${uid}/`)) {
      times.delete(key);
    }
  }
}

function timeKey(uid: string, metric: string): string {
  return `${uid}/${metric}`;
}

const NO_LIMIT = 1_000_000;

/** Returns the spec as seen by a controller that forgets to check limits: every metric is measured to its end. */
function withoutLimits(spec: AnalysisRunSpec): AnalysisRunSpec {
  const metrics = spec.metrics.map((metric) => {
    const limit = effectiveCount(metric) ?? NO_LIMIT;
    return {
      ...metric,
      failureLimit: limit,
      inconclusiveLimit: limit,
      consecutiveErrorLimit: NO_LIMIT,
      consecutiveSuccessLimit: undefined,
    };
  });
  return { ...spec, metrics };
}

/** Returns a finished run as a defective controller records it: the same verdict everywhere, for any measurements. */
function forceVerdict(status: AnalysisRunStatus, phase: AnalysisPhase): AnalysisRunStatus {
  if (!isCompleted(status.phase)) {
    return status;
  }
  const metricResults = (status.metricResults ?? []).map((result) => ({ ...result, phase }));
  return { ...status, phase, metricResults };
}
