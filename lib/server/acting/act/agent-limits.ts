import type { PoolClient } from "pg";
import type { ProblemCode } from "#lib/contract/problem.ts";
import { type ActionName, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { formatObjectRef, type ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayActAlone } from "#lib/domain/policy/rights.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { ServiceError, type ServiceErrorExtra } from "#lib/server/platform/actor/service-error.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { countAgentActions } from "#lib/server/records/action-store.ts";

type AgentAttempt = { ctx: ActingContext; path: ObjectRef };
type Refusal = { code: ProblemCode; message: string; extra?: ServiceErrorExtra };

/** Returns why the config of this moment stops the proposals and actions of all agents; undefined if it does not. */
export function explainStop({ runtime }: Pick<ActingContext, "runtime">): Refusal | undefined {
  if (runtime.config().config.limits.proposalsPerHour > 0) return undefined;
  return { code: "not_allowed_now", message: "The config stops all agents (limits.proposalsPerHour)." };
}

/** Explains why an agent may not do all of this by itself, however strong its token is. */
export function explainNotByAgent({ ctx, path }: AgentAttempt, actions: readonly ActionName[]): Refusal | undefined {
  const { rights, token } = ctx.actor;
  const advancing = actions.find((action) => !isProtective(action));
  const unlet = actions.find((action) => !mayActAlone(rights, { action, target: path }));
  if (token === undefined) return { code: "forbidden", message: "Agents act with a token: act as yourself." };
  const stopped = explainStop(ctx);
  if (stopped !== undefined) return stopped;
  if (advancing !== undefined)
    return { code: "forbidden", message: `An agent does not ${advancing} by itself: propose it.` };
  if (unlet === undefined) return undefined;
  const address = formatObjectRef(path);
  return { code: "forbidden", message: `No role binding lets agents ${unlet} ${address}: propose it.` };
}

/** Explains that an agent has used up its budget, in all processes together. */
export async function explainSpent(connection: Connection, ctx: ActingContext, own = 0): Promise<Refusal | undefined> {
  const { agentActionsPerHour: most } = ctx.runtime.config().config.limits;
  const done = await countAgentActions(connection, ctx.actor.token?.id ?? "");
  if (done - own < most) return undefined;
  const message = `An agent may act ${most} times an hour by itself: propose it.`;
  return { code: "rate_limited", message, extra: { retryAfterSeconds: 3600 } };
}

/** Throws the refusal in the transaction of the intent, whose row counts already. */
export async function assertAgentMay({
  client,
  attempt,
  actions,
}: {
  client: PoolClient;
  attempt: AgentAttempt;
  actions: readonly ActionName[];
}): Promise<void> {
  const refusal = explainNotByAgent(attempt, actions) ?? (await explainSpent(client, attempt.ctx, 1));
  if (refusal !== undefined) throw new ServiceError(refusal.code, refusal.message, refusal.extra);
}
