import type { AssessAnswer, AssessRequest, PhaseVerdict, RunVerdict } from "#lib/contract/analysis-engine.ts";
import { analysisEngine } from "#lib/domain/providers.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/** Returns the verdict over a metric or a run with its measurements so far, as the controller would give it now. */
export async function assessMeasured({ ctx, input }: Call<AssessRequest>): Promise<AssessAnswer> {
  const { spec, metricResults, metric, result } = input;
  if (spec !== undefined && metricResults !== undefined) return assessWholeRun(ctx, spec, metricResults);
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
  return analysisEngine.assessMetric({ metric: { ...metric, name }, result: { ...result, name }, terminating });
}

function assessWholeRun(
  ctx: ServiceContext,
  { dryRunMetricNames: dryRun, ...spec }: NonNullable<AssessRequest["spec"]>,
  metricResults: NonNullable<AssessRequest["metricResults"]>,
): Promise<RunVerdict> {
  assertResolvable(spec);
  return evaluateFor(ctx, "assess", { spec, metricResults, dryRun });
}

const maxResolvedLength = 1_000_000;

/** Throws if a long argument is used so often that a small request becomes a large one. */
function assertResolvable({ metrics, args = [] }: Pick<NonNullable<AssessRequest["spec"]>, "metrics" | "args">): void {
  const tags = JSON.stringify(metrics).split("{{").length - 1;
  const longest = Math.max(0, ...args.map(({ value = "" }) => value.length));
  if (tags * longest <= maxResolvedLength) return;
  const reason = `their values would make the metrics longer than ${maxResolvedLength} characters`;
  throw new ServiceError("invalid_request", `spec.args: ${reason}`, {
    invalidParams: [{ name: "spec.args", reason }],
  });
}
