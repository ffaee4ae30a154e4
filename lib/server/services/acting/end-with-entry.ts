import { type ActionAttempt, type Refusal, refuseAttempt } from "#lib/server/acting/action-attempt.ts";
import { isServiceError } from "#lib/server/actor/service-error.ts";
import { isDatabaseTrouble } from "#lib/server/db/is-database-trouble.ts";
import { isClusterUnreachableError } from "#lib/server/kubernetes/cluster-errors.ts";

/**
 * Ensures that an attempt with a row ends in an audit entry, regardless of which error is thrown. A refusal already has
 * its entry, and its error names the action. Without a database nothing can be written: the recorder does it later.
 * `run` must catch any error itself once something may have been sent.
 */
export async function endWithEntry<Result>(attempt: ActionAttempt, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (isServiceError(error) && (error.extra.actionId === attempt.id || error.code === "audit_unavailable"))
      throw error;
    if (isDatabaseTrouble(error)) throw error;
    if (!isServiceError(error))
      attempt.ctx.runtime.log.error({ err: error, actionId: attempt.id }, "an action failed before anything was sent");
    throw await refuseAttempt({ attempt, refusal: refusalOf(error), limited: false });
  }
}

function refusalOf(error: unknown): Refusal {
  if (isServiceError(error)) return { code: error.code, message: error.message, extra: error.extra };
  if (isClusterUnreachableError(error))
    return { code: "unavailable", message: `Cluster ${error.cluster} does not answer: nothing was sent. Try again.` };
  return { code: "internal", message: "Something went wrong in Gatehouse before anything was sent." };
}
