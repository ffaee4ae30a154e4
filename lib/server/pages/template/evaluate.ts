import type {
  AssessAnswer,
  AssessRequest,
  EvaluateRequest,
  PhaseVerdict,
  RunVerdict,
} from "#lib/contract/analysis-engine.ts";
import { analysisEngine } from "#lib/domain/providers.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { TaskInput, TaskName, TaskValue } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/** How many tasks one person may run at a time, and how long they may take. */
export const evaluationLimits = { most: 4, limitMs: 5000, waitMs: 15_000 };

/**
 * Runs a task for a person, or a program of theirs, in a separate thread. Throws `rate_limited` for too many at a time
 * and `invalid_request` if it takes too long.
 */
export async function evaluateFor<Name extends TaskName>(
  { runtime, actor, requestId }: ServiceContext,
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskValue<Name>> {
  const { most, limitMs } = evaluationLimits;
  const outcome = await runtime.evaluations.run(name, input, { owner: actorKey(actor), ...evaluationLimits });
  if ("value" in outcome) return outcome.value;
  switch (outcome.refused) {
    case "too-many":
      throw new ServiceError(
        "rate_limited",
        `You have ${most} evaluations in progress, which is the limit; try again when one has finished.`,
        { retryAfterSeconds: 1 },
      );
    case "busy":
      if (outcome.error !== undefined)
        runtime.log.error({ requestId, error: outcome.error }, "no thread for evaluations starts");
      throw new ServiceError("unavailable", "All evaluation threads are busy; try again in a moment.", {
        retryAfterSeconds: 5,
      });
    case "too-long":
      throw new ServiceError(
        "invalid_request",
        `The evaluation was stopped: it exceeded ${limitMs / 1000} seconds or the memory limit. Simplify the conditions or shrink the result.`,
      );
    case "failed":
      throw new Error(outcome.error);
  }
}

/** Evaluates what a page adds to its rows. It waits a little, and the addition is left out if it takes too long. */
export async function evaluateForPage<Name extends TaskName>(
  { runtime, actor, requestId }: ServiceContext,
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskValue<Name> | undefined> {
  const owner = `page ${actorKey(actor)}`;
  const outcome = await runtime.evaluations.run(name, input, { owner, most: 40, limitMs: 2000, waitMs: 2000 });
  if ("value" in outcome) return outcome.value;
  const { refused, error } = outcome;
  runtime.log.warn({ requestId, task: name, refused, error }, "conditions were not explained");
  return undefined;
}

/** Returns the phase that a measurement with this result gets. A condition that cannot be evaluated gives Error. */
export async function evaluateResult({ ctx, input }: Call<EvaluateRequest>): Promise<PhaseVerdict> {
  const { result, successCondition, failureCondition } = input;
  const now = ctx.runtime.now().getTime();
  const evaluated = await evaluateFor(ctx, "evaluate", { result, successCondition, failureCondition, now });
  if ("misfit" in evaluated) {
    const invalidParams = [{ name: "result.value", reason: evaluated.misfit }];
    throw new ServiceError("invalid_request", `result.value: ${evaluated.misfit}`, { invalidParams });
  }
  const { phase, message } = evaluated;
  return message === undefined ? { phase } : { phase, message };
}

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
