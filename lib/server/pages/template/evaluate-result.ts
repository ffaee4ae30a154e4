import type { EvaluateRequest, PhaseVerdict } from "#lib/contract/analysis-engine.ts";
import { evaluateFor } from "#lib/server/pages/template/evaluate-for.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
