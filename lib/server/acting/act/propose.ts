import type { PoolClient } from "pg";
import type { Approval, ProposalRequest } from "#lib/contract/approval.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { readActionParams } from "#lib/domain/acting/action-params.ts";
import { explainStop } from "#lib/server/acting/act/agent-limits.ts";
import { assertSeen, planOfRecorded, storeAsked } from "#lib/server/acting/act/request-approval.ts";
import { assertPlannable } from "#lib/server/acting/act/resolve-rollout.ts";
import { selectApprovals } from "#lib/server/acting/approvals/approval-row.ts";
import { findRollout } from "#lib/server/people/permission/find-rollout.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/** So many open proposals of one agent fill the inbox of people who must read them. */
const mostOpen = 10;
const expireMinutes = 60;

/**
 * Proposes one action to the people who may do it, bound to the view that the agent was given. It needs no right to the
 * action: whoever accepts it acts with their own rights. Throws `forbidden` if the caller is no token, `stale_view` for
 * an old view, `not_allowed_now` if the rollout's state does not allow the action, and `conflict` if the agent has
 * proposed it already or has too many open proposals, and `rate_limited` after too many in an hour.
 */
export async function propose({ ctx, input }: Call<RolloutPath & ProposalRequest>): Promise<Approval> {
  const agent = ctx.actor.token;
  if (agent === undefined) throw new ServiceError("forbidden", "Proposals are for tokens: act yourself.");
  const stopped = explainStop(ctx);
  if (stopped !== undefined) throw new ServiceError(stopped.code, stopped.message);
  const perHour = ctx.runtime.config().config.limits.proposalsPerHour;
  const row = await findRollout(ctx, input);
  const action = assertPlannable(input);
  const plan = await planOfRecorded({ ctx, action, row });
  assertSeen({ expect: input.expect, row, plan });
  if (plan.refusal !== undefined) throw new ServiceError("not_allowed_now", plan.refusal);
  return storeAsked({
    ctx,
    row,
    asked: { action, params: readActionParams(input), reason: input.reason },
    plan,
    expireMinutes,
    rule: "",
    detail: { agent },
    agent,
    assert: async (client) => assertRoom({ client, agentId: agent.id, rolloutId: row.id, action, perHour }),
  });
}

/** The audit chain is locked: of two proposals at once, the second counts the first. */
async function assertRoom({
  client,
  agentId,
  rolloutId,
  action,
  perHour,
}: {
  client: PoolClient;
  agentId: string;
  rolloutId: string;
  action: string;
  perHour: number;
}): Promise<void> {
  // A proposal expires after an hour, so these are the ones of the last hour.
  const recent = await readRows(
    client,
    selectApprovals.where("p.agent_id", "=", agentId).where("p.expires_at", ">", transactionTime).limit(perHour),
  );
  if (recent.length >= perHour)
    throw new ServiceError("rate_limited", `An agent may propose ${perHour} times an hour.`, {
      retryAfterSeconds: expireMinutes * 60,
    });
  const open = recent.filter(({ state }) => state === "open");
  const same = open.find((each) => each.rollout_id === rolloutId && each.action === action);
  if (same !== undefined) throw new ServiceError("conflict", `You have proposed this already: ${same.id}.`);
  if (open.length >= mostOpen)
    throw new ServiceError("conflict", `${mostOpen} of your proposals are open: withdraw one, or wait.`);
}
