import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Snooze, SnoozeRequest } from "#lib/contract/wait-handling.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { judgeSnooze } from "#lib/domain/waiting/judge-handling.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { type ClickedIn, isSnoozed, maxSnoozeHours } from "#lib/server/pages/inbox/wait-handling.ts";
import { findWait, type WaitRow } from "#lib/server/people/permission/find-wait.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";
import { storeMark } from "#lib/server/records/wait-mark.ts";

const rollout = fragment<{ r: "rollout" }>();

/**
 * Puts off a rollout's wait in all inboxes, until a time or until its state changes. A later snooze replaces an earlier
 * one. Throws `forbidden` without the right to acknowledge, `not_allowed_now` if nothing waits or if this wait needs a
 * time, `stale_view` if the state has changed meanwhile, `invalid_request` for a time out of bounds.
 */
export async function snooze({
  ctx,
  input,
  via,
}: Call<RolloutPath & SnoozeRequest> & { via?: ClickedIn }): Promise<Snooze> {
  const { actor, runtime } = ctx;
  const row = await findWait(ctx, input);
  assertMaySnooze(ctx, row);
  const { attention_reason: attention, attention_severity: severity } = row;
  if (attention === null || row.attention_since === null || row.presence !== "live")
    throw new ServiceError("not_allowed_now", "The rollout does not wait for a person: there is nothing to snooze.");
  if (row.view_digest !== input.viewDigest) throw changedMeanwhile();
  const until = input.until === null ? null : new Date(input.until);
  const verdict = judgeSnooze({
    attention: { reason: attention, severity: severity ?? "warning" },
    until: until ?? undefined,
    now: await readDatabaseTime(runtime.pool),
    maxHours: maxSnoozeHours,
  });
  if (!verdict.ok) throw new ServiceError(verdict.code, verdict.reason);
  let at = runtime.now();
  await appendChange(ctx, {
    code: "inbox.snoozed",
    target: auditTargetOf(row),
    reason: input.reason,
    detail: { attention, viewDigest: row.view_digest, until: input.until ?? "change", ...via },
    within: async (client) => {
      const stored = await readRow(
        client,
        storeMark({
          ...{ kind: "snooze", rolloutId: row.id, actor, until: rollout.val(until), reason: input.reason },
          isSame: rollout.and([
            rollout("r.view_digest", "=", row.view_digest),
            rollout("r.attention_reason", "=", attention),
            rollout("r.attention_severity", "is not distinct from", severity),
          ]),
        }).returning("marked_at"),
      );
      if (stored === undefined) throw changedMeanwhile();
      at = stored.marked_at;
      await logRolloutChange(client, row);
    },
  });
  return { who: actor.name, at: at.toISOString(), until: until?.toISOString() ?? null, reason: input.reason };
}

function assertMaySnooze({ actor }: ServiceContext, row: WaitRow): void {
  if (!mayAcknowledge(actor.rights, row))
    throw new ServiceError("forbidden", `Your rights do not include snoozing ${row.namespace}/${row.name}.`);
}

function changedMeanwhile(): ServiceError {
  return new ServiceError("stale_view", "The rollout changed since you looked at it. Look again, then snooze it.", {
    changes: null,
  });
}

const deleteSnooze = tables
  .deleteFrom("wait_mark")
  .where("kind", "=", "snooze")
  .returning(({ ref }) => ["marked_by_name", "marked_at", "until", ref("reason").$notNull().as("reason")]);

/** Ends a snooze, no matter whose it is. Throws `conflict` if none is in force. */
export async function wake({ ctx, input }: Call<RolloutPath>): Promise<Snooze> {
  const row = await findWait(ctx, input);
  assertMaySnooze(ctx, row);
  let ended: RowOf<typeof deleteSnooze> | undefined;
  await appendChange(ctx, {
    code: "inbox.woken",
    target: auditTargetOf(row),
    within: async (client) => {
      const inForce = tables.selectFrom("rollout as r").select("r.id").where("r.id", "=", row.id).where(isSnoozed);
      ended = await readRow(client, deleteSnooze.where("rollout_id", "in", inForce));
      if (ended === undefined) throw new ServiceError("conflict", "This rollout is not snoozed any more.");
      await logRolloutChange(client, row);
    },
  });
  if (ended === undefined) throw new Error("the ended snooze was not returned");
  const { marked_by_name: who, marked_at: at, until, reason } = ended;
  return { who, at: at.toISOString(), until: until?.toISOString() ?? null, reason };
}
