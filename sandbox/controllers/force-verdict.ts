import { effectiveCount } from "#lib/domain/argo/analysis/int-or-string.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { AnalysisPhase, AnalysisRunSpec, AnalysisRunStatus } from "#lib/domain/argo/analysis/types.ts";

const NO_LIMIT = 1_000_000;

/** Returns the spec as seen by a controller that forgets to check limits: every metric is measured to its end. */
export function withoutLimits(spec: AnalysisRunSpec): AnalysisRunSpec {
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
export function forceVerdict(status: AnalysisRunStatus, phase: AnalysisPhase): AnalysisRunStatus {
  if (!isCompleted(status.phase)) {
    return status;
  }
  const metricResults = (status.metricResults ?? []).map((result) => ({ ...result, phase }));
  return { ...status, phase, metricResults };
}
