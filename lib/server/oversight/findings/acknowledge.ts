import type { AcknowledgeRequest, InboxAnswer } from "#lib/contract/inbox.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { mayAct, type Rights, type Target } from "#lib/domain/policy/rights.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { findWait } from "#lib/server/people/permission/find-wait.ts";
import type { StoreCall, StoreContext } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";
import { storeMark } from "#lib/server/records/wait-mark.ts";

/**
 * Returns whether the actor may acknowledge. This hides a row from all inboxes, so it takes a right that role bindings
 * can name like an action.
 */
export function mayAcknowledge(rights: Rights, target: Target): boolean {
  return mayAct(rights, { action: "acknowledge", target });
}

const rollout = fragment<{ r: "rollout" }>();

/**
 * Hides a waiting rollout from the inbox until its state changes. Nothing is sent to the cluster. Throws `forbidden`
 * without the right, `not_allowed_now` if nothing waits, `stale_view` if the state has changed meanwhile.
 */
export async function acknowledge({ ctx, input }: StoreCall<RolloutPath & AcknowledgeRequest>): Promise<InboxAnswer> {
  const { actor, runtime } = ctx;
  const row = await findWait(ctx, input);
  assertMayAcknowledge(ctx, row);
  if (row.attention_reason === null || row.attention_since === null)
    throw new ServiceError(
      "not_allowed_now",
      "The rollout does not wait for a person: there is nothing to acknowledge.",
    );
  if (row.view_digest !== input.viewDigest) throw changedMeanwhile();
  let at = runtime.now();
  await appendChange(ctx, {
    code: "attention.acknowledge",
    target: auditTargetOf(row),
    reason: input.reason,
    detail: { attention: row.attention_reason, viewDigest: row.view_digest },
    within: async (client) => {
      const stored = await readRow(
        client,
        storeMark({
          ...{ kind: "acknowledgement", rolloutId: row.id, actor, until: rollout.lit(null), reason: input.reason },
          isSame: rollout.and([
            rollout("r.view_digest", "=", row.view_digest),
            rollout("r.attention_reason", "=", row.attention_reason),
          ]),
        }).returning("marked_at"),
      );
      if (stored === undefined) throw changedMeanwhile();
      at = stored.marked_at;
      await logRolloutChange(client, row);
    },
  });
  return { kind: "acknowledged", who: actor.name, at: at.toISOString(), reason: input.reason };
}

export function assertMayAcknowledge({ actor }: StoreContext, target: Target): void {
  if (!mayAcknowledge(actor.rights, target))
    throw new ServiceError("forbidden", `Your rights do not include acknowledging ${target.namespace}/${target.name}.`);
}

function changedMeanwhile(): ServiceError {
  return new ServiceError("stale_view", "The rollout changed since you looked at it. Look again, then acknowledge.", {
    changes: null,
  });
}
