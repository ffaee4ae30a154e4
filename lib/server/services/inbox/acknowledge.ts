import type { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayAct, type Rights, type Target } from "#lib/domain/policy/rights.ts";
import { actorKey } from "#lib/server/actor/actor.ts";
import { auditActorOf } from "#lib/server/actor/audit-actor.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";
import { logChange } from "#lib/server/db/log-change.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { findRollout } from "#lib/server/services/rollouts/find-rollout.ts";

/**
 * Returns whether the actor may acknowledge. This hides a row from everybody's inbox, so it takes a right that role
 * bindings can name like an action.
 */
export function mayAcknowledge(rights: Rights, { cluster, namespace, name }: Target): boolean {
  return mayAct(rights, { action: "acknowledge", target: { cluster, namespace, name } });
}

/**
 * Hides a waiting rollout from the inbox until its state changes. Nothing is sent to the cluster. Throws `forbidden`
 * without the right, `not_allowed_now` if nothing waits, `stale_view` if the state has changed meanwhile.
 */
export async function acknowledge({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & AcknowledgeRequest;
}): Promise<InboxAnswer> {
  const { actor, runtime, requestId } = ctx;
  const row = await findRollout(ctx, input);
  assertMayAcknowledge(ctx, row);
  if (row.attention_reason === null)
    throw new ServiceError("not_allowed_now", "The rollout waits for nobody: there is nothing to acknowledge.");
  if (row.view_digest !== input.viewDigest) throw changedMeanwhile();
  const { cluster, namespace, kind, name } = row;
  let at = runtime.now();
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "attention.acknowledge",
      target: { id: formatObjectRef(row), cluster, namespace, kind, name },
      reason: input.reason,
      outcome: "applied",
      detail: { attention: row.attention_reason, viewDigest: row.view_digest },
      requestId,
    },
    within: async (client) => {
      // The state is checked again in the same statement: a state that changed meanwhile is not acknowledged unseen.
      const { rows } = await client.query<{ acknowledged_at: Date }>(
        `INSERT INTO acknowledgement (rollout_id, view_digest, attention_reason, attention_since, reason, acknowledged_by,
           acknowledged_by_name)
         SELECT r.id, r.view_digest, r.attention_reason, r.attention_since, $3, $4, $5 FROM rollout r
          WHERE r.id = $1 AND r.view_digest = $2 AND r.attention_reason = $6
         ON CONFLICT (rollout_id) DO UPDATE SET view_digest = EXCLUDED.view_digest,
           attention_reason = EXCLUDED.attention_reason, attention_since = EXCLUDED.attention_since,
           reason = EXCLUDED.reason,
           acknowledged_by = EXCLUDED.acknowledged_by, acknowledged_by_name = EXCLUDED.acknowledged_by_name,
           acknowledged_at = now()
         RETURNING acknowledged_at`,
        [row.id, row.view_digest, ...[input.reason, actorKey(actor), actor.name].map(toColumn), row.attention_reason],
      );
      if (rows[0] === undefined) throw changedMeanwhile();
      at = rows[0].acknowledged_at;
      await logChange(client, { kind: "rollout", ref: formatObjectRef(row), cluster, namespace, name });
    },
  });
  return { kind: "acknowledged", who: actor.name, at: at.toISOString(), reason: input.reason };
}

export function assertMayAcknowledge({ actor }: ServiceContext, target: Target): void {
  if (!mayAcknowledge(actor.rights, target))
    throw new ServiceError("forbidden", `Your rights do not include acknowledging ${target.namespace}/${target.name}.`);
}

function changedMeanwhile(): ServiceError {
  return new ServiceError("stale_view", "The rollout changed since you looked at it: look again, then acknowledge.", {
    changes: null,
  });
}
