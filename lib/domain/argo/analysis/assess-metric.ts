import { effectiveCount, int32Value, intValue } from "./int-or-string.ts";
import { isCompleted } from "./phase.ts";
import type { AnalysisPhase, MetricResult, MetricSpec } from "./types.ts";

/** utils/defaults/defaults.go `DefaultConsecutiveErrorLimit`. */
export const defaultConsecutiveErrorLimit = 4;

export type Assessment = { readonly phase: AnalysisPhase; readonly message?: string };

/**
 * Returns the phase of one metric from its counters and its last measurement, and the limit it broke, in upstream's
 * words. A completed phase is kept. The message is absent if no limit was broken (for instance when `count` was
 * reached).
 * Mirrors argo-rollouts analysis/analysis.go `assessMetricStatus`.
 */
export function assessMetric(input: {
  readonly metric: MetricSpec;
  readonly result: MetricResult;
  readonly terminating: boolean;
}): Assessment {
  const phase = assessPhase(input.metric, input.result, input.terminating);
  const reason = isCompleted(phase) ? metricFailureReason(input.metric, input.result) : undefined;
  return reason === undefined ? { phase } : { phase, message: reason.message };
}

function assessPhase(metric: MetricSpec, result: MetricResult, terminating: boolean): AnalysisPhase {
  if (result.phase !== undefined && isCompleted(result.phase)) return result.phase;
  const last = result.measurements?.at(-1);
  if (last === undefined) return terminating ? "Successful" : "Pending";
  if (!isCompleted(last.phase)) return "Running";
  const reason = metricFailureReason(metric, result);
  if (reason !== undefined) return reason.phase;
  const successLimit = intValue(metric.consecutiveSuccessLimit);
  const consecutiveSuccess = result.consecutiveSuccess ?? 0;
  if (successLimit > 0 && consecutiveSuccess >= int32Value(metric.consecutiveSuccessLimit)) return "Successful";
  if (isCountReached(metric, result)) return phaseAtCount(metric);
  return terminating ? "Successful" : "Running";
}

/**
 * Returns the phase when `count` is reached. With both limits in force the question stays open; with only a success
 * limit, a missed one fails.
 */
function phaseAtCount(metric: MetricSpec): AnalysisPhase {
  const failureApplies = metric.failureLimit === undefined || intValue(metric.failureLimit) >= 0;
  const successApplies = intValue(metric.consecutiveSuccessLimit) > 0;
  if (!successApplies) return "Successful";
  return failureApplies ? "Inconclusive" : "Failed";
}

export function isCountReached(metric: MetricSpec, result: Pick<MetricResult, "count">): boolean {
  const limit = effectiveCount(metric);
  return limit !== undefined && (result.count ?? 0) >= limit;
}

/**
 * Returns the limit that a metric broke, or undefined. A later check overrides an earlier one: failed, inconclusive,
 * errors.
 * Mirrors argo-rollouts analysis/analysis.go `assessMetricFailureInconclusiveOrError`.
 */
export function metricFailureReason(
  metric: MetricSpec,
  result: MetricResult,
): { readonly phase: AnalysisPhase; readonly message: string } | undefined {
  const consecutiveError = result.consecutiveError ?? 0;
  const errorLimit =
    metric.consecutiveErrorLimit === undefined
      ? defaultConsecutiveErrorLimit
      : int32Value(metric.consecutiveErrorLimit);
  if (consecutiveError > errorLimit) {
    return {
      phase: "Error",
      message: `consecutiveErrors (${consecutiveError}) > consecutiveErrorLimit (${errorLimit})`,
    };
  }
  const inconclusive = result.inconclusive ?? 0;
  const inconclusiveLimit = int32Value(metric.inconclusiveLimit);
  if (inconclusive > inconclusiveLimit) {
    return {
      phase: "Inconclusive",
      message: `inconclusive (${inconclusive}) > inconclusiveLimit (${inconclusiveLimit})`,
    };
  }
  const failed = result.failed ?? 0;
  const failureLimit = int32Value(metric.failureLimit);
  if (failureLimit >= 0 && failed > failureLimit) {
    return { phase: "Failed", message: `failed (${failed}) > failureLimit (${failureLimit})` };
  }
  return undefined;
}
