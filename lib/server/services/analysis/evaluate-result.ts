import type { EvaluateRequest, PhaseVerdict } from "#lib/contract/analysis-engine.ts";
import { evaluateResult as evaluate } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { isTypedValueError } from "#lib/domain/argo/analysis/typed-value.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** The phase that a measurement with this result gets. A condition that cannot be evaluated is phase Error. */
export async function evaluateResult({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: EvaluateRequest;
}): Promise<PhaseVerdict> {
  const { result, successCondition, failureCondition } = input;
  try {
    const now = ctx.runtime.now().getTime();
    const { phase, message } = evaluate({ result, successCondition, failureCondition, now });
    return message === undefined ? { phase } : { phase, message };
  } catch (error) {
    if (!isTypedValueError(error)) throw error;
    const invalidParams = [{ name: "result.value", reason: error.message }];
    throw new ServiceError("invalid_request", `result.value: ${error.message}`, { invalidParams });
  }
}
