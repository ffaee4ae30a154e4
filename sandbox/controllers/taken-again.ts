import type { AnalysisRunStatus, MetricResult } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";

/**
 * Which measurements the controller repeats, on the AnalysisRun: "10:1,19:3" is the tenth once and the nineteenth three
 * times. A Rollout's analysis passes it on in `analysisRunMetadata`.
 */
export const TAKEN_AGAIN_ANNOTATION = "sandbox.gatehouse/taken-again";

type Plan = { count: number; times: number }[];

/**
 * Returns the run before its last measurement, if the run's annotation says that this one is repeated. A controller
 * with a stale cache measures on that basis, and its patch replaces the newest measurement while the counter does not
 * change. Seen with argo-rollouts 1.10.2 under load, and for 90 s after an outage of the API server.
 */
export function staleRun(run: KubeObject): KubeObject | undefined {
  const plan = planOf(run);
  const status = (run.status ?? {}) as AnalysisRunStatus;
  const results = status.metricResults ?? [];
  const due = plan.find(({ count, times }) => times > 0 && results.some((result) => totalOf(result) === count));
  if (due === undefined) {
    return undefined;
  }
  const metricResults = results.map((result) => (totalOf(result) === due.count ? withoutLast(result) : result));
  const left = plan.map((entry) => (entry === due ? { ...entry, times: entry.times - 1 } : entry));
  const text = left.map(({ count, times }) => `${count}:${times}`).join(",");
  const annotations = { ...run.metadata.annotations, [TAKEN_AGAIN_ANNOTATION]: text };
  return { ...run, metadata: { ...run.metadata, annotations }, status: { ...status, metricResults } };
}

/** Counts measurements of any outcome; the counter `count` excludes errors. */
export function totalOf({ count = 0, error = 0 }: MetricResult): number {
  return count + error;
}

function planOf({ metadata }: KubeObject): Plan {
  const text = metadata.annotations?.[TAKEN_AGAIN_ANNOTATION] ?? "";
  return [...text.matchAll(/(\d+):(\d+)/g)].map(([, count, times]) => ({ count: Number(count), times: Number(times) }));
}

function withoutLast(result: MetricResult): MetricResult {
  const { measurements = [], consecutiveSuccess = 0, consecutiveError = 0 } = result;
  const before = { ...result, measurements: measurements.slice(0, -1) };
  const less = (value = 0) => Math.max(0, value - 1);
  switch (measurements.at(-1)?.phase) {
    case "Error":
      return { ...before, error: less(result.error), consecutiveError: less(consecutiveError) };
    case "Successful": {
      const counts = { count: less(result.count), successful: less(result.successful) };
      return { ...before, ...counts, consecutiveSuccess: less(consecutiveSuccess) };
    }
    case "Failed":
      return { ...before, count: less(result.count), failed: less(result.failed) };
    default:
      return { ...before, count: less(result.count), inconclusive: less(result.inconclusive) };
  }
}
