import type { AssessAnswer, AssessRequest, PhaseVerdict, RunVerdict } from "#lib/contract/analysis-engine.ts";
import { assessMetric } from "#lib/domain/argo/analysis/assess-metric.ts";
import { assessRun } from "#lib/domain/argo/analysis/assess-run.ts";
import { resolveMetricsWithoutSecrets } from "#lib/domain/argo/analysis/resolve-metric-args.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** The verdict over a metric or a run with what was measured so far, as the controller would give it now. */
export async function assessMeasured({ input }: { ctx: ServiceContext; input: AssessRequest }): Promise<AssessAnswer> {
  const { spec, metricResults, metric, result } = input;
  if (spec !== undefined && metricResults !== undefined) return assessWholeRun(spec, metricResults);
  if (metric === undefined || result === undefined)
    throw new ServiceError("invalid_request", "Send metric and result, or spec and metricResults.");
  return assessOneMetric(metric, result, input.terminating ?? false);
}

function assessOneMetric(
  metric: NonNullable<AssessRequest["metric"]>,
  result: NonNullable<AssessRequest["result"]>,
  terminating: boolean,
): PhaseVerdict {
  const name = metric.name ?? result.name ?? "";
  return assessMetric({ metric: { ...metric, name }, result: { ...result, name }, terminating });
}

function assessWholeRun(
  { dryRunMetricNames, ...spec }: NonNullable<AssessRequest["spec"]>,
  metricResults: NonNullable<AssessRequest["metricResults"]>,
): RunVerdict {
  assertResolvable(spec);
  const resolved = resolveMetricsWithoutSecrets(spec.metrics, spec.args);
  if ("error" in resolved) return unresolvedRun(resolved.error);
  const assessed = assessRun({
    spec: { ...spec, metrics: resolved.value },
    metricResults,
    ...(dryRunMetricNames === undefined ? {} : { dryRun: new Set(dryRunMetricNames) }),
  });
  const { phase, message, metrics, runSummary, dryRunSummary } = assessed;
  return { phase, message, metrics, runSummary, dryRunSummary };
}

function unresolvedRun(error: string): RunVerdict {
  const none = { count: 0, successful: 0, failed: 0, inconclusive: 0, error: 0 };
  const message = `Unable to resolve metric arguments: ${error}`;
  return { phase: "Error", message, metrics: {}, runSummary: none, dryRunSummary: none };
}

const maxResolvedLength = 1_000_000;

/** A long argument named in many places would make a small request a large one. */
function assertResolvable({ metrics, args = [] }: Pick<NonNullable<AssessRequest["spec"]>, "metrics" | "args">): void {
  const tags = JSON.stringify(metrics).split("{{").length - 1;
  const longest = Math.max(0, ...args.map(({ value = "" }) => value.length));
  if (tags * longest <= maxResolvedLength) return;
  const reason = `their values would make the metrics longer than ${maxResolvedLength} characters`;
  throw new ServiceError("invalid_request", `spec.args: ${reason}`, {
    invalidParams: [{ name: "spec.args", reason }],
  });
}
