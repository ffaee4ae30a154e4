import { sql } from "kysely";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Snooze, SnoozeRequest } from "#lib/contract/wait-handling.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { judgeSnooze } from "#lib/domain/waiting/judge-snooze.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { mayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { maxSnoozeHours } from "#lib/server/pages/inbox/wait-handling.ts";
import { findWait, type WaitRow } from "#lib/server/people/permission/find-wait.ts";
import { actorKey, auditActorOf } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import { toColumn } from "#lib/server/platform/db/to-column.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Puts off a rollout's wait in all inboxes, until a time or until its state changes. A later snooze replaces an earlier
 * one. Throws `forbidden` without the right to acknowledge, `not_allowed_now` if nothing waits or if this wait needs a
 * time, `stale_view` if the state has changed meanwhile, `invalid_request` for a time out of bounds.
 */
export async function snooze({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & SnoozeRequest;
}): Promise<Snooze> {
  const { actor, runtime, requestId } = ctx;
  const row = await findWait(ctx, input);
  assertMaySnooze(ctx, row);
  const { cluster, namespace, kind, name, attention_reason: attention, attention_severity: severity } = row;
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
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "inbox.snoozed",
      target: { id: formatObjectRef(row), cluster, namespace, kind, name },
      reason: input.reason,
      outcome: "applied",
      detail: { attention, viewDigest: row.view_digest, until: input.until ?? "change" },
      requestId,
    },
    within: async (client) => {
      const stored = await readRow(client, upsert({ ctx, row, reason: input.reason, until }));
      if (stored === undefined) throw changedMeanwhile();
      at = stored.snoozed_at;
      await logRolloutChange(client, row);
    },
  });
  return { who: actor.name, at: at.toISOString(), until: until?.toISOString() ?? null, reason: input.reason };
}

const stateColumns = [
  "view_digest",
  "attention_reason",
  "attention_since",
  "attention_severity",
  "revision_key",
] as const;

/** Builds the statement that stores the state with the snooze, if it is still the one that was judged. */
function upsert(options: { ctx: ServiceContext; row: WaitRow; reason: string; until: Date | null }) {
  const { ctx, row, until } = options;
  const [reason, by, byName] = [options.reason, actorKey(ctx.actor), ctx.actor.name].map(toColumn);
  return tables
    .insertInto("inbox_snooze")
    .columns([...stateColumns, "rollout_id", "until", "reason", "snoozed_by", "snoozed_by_name", "snoozed_at"])
    .expression((eb) =>
      eb
        .selectFrom("rollout as r")
        .select((of) => [
          "r.view_digest",
          of.ref("r.attention_reason").$notNull().as("attention_reason"),
          of.ref("r.attention_since").$notNull().as("attention_since"),
          "r.attention_severity",
          "r.revision_key",
          "r.id as rollout_id",
          sql<Date | null>`${until}::timestamptz`.as("until"),
          of.val(reason).as("reason"),
          of.val(by).as("by"),
          of.val(byName).as("by_name"),
          transactionTime.as("at"),
        ])
        .where("r.id", "=", row.id)
        .where("r.view_digest", "=", row.view_digest)
        .where("r.attention_reason", "=", row.attention_reason)
        .where("r.attention_severity", "is not distinct from", row.attention_severity),
    )
    .onConflict((conflict) =>
      conflict.column("rollout_id").doUpdateSet(
        ({ ref }) =>
          ({
            view_digest: ref("excluded.view_digest"),
            attention_reason: ref("excluded.attention_reason"),
            attention_since: ref("excluded.attention_since"),
            attention_severity: ref("excluded.attention_severity"),
            revision_key: ref("excluded.revision_key"),
            until: ref("excluded.until"),
            reason: ref("excluded.reason"),
            snoozed_by: ref("excluded.snoozed_by"),
            snoozed_by_name: ref("excluded.snoozed_by_name"),
            snoozed_at: ref("excluded.snoozed_at"),
          }) satisfies Columns<"inbox_snooze">,
      ),
    )
    .returning("snoozed_at");
}

export function assertMaySnooze({ actor }: ServiceContext, row: WaitRow): void {
  if (!mayAcknowledge(actor.rights, row))
    throw new ServiceError("forbidden", `Your rights do not include snoozing ${row.namespace}/${row.name}.`);
}

function changedMeanwhile(): ServiceError {
  return new ServiceError("stale_view", "The rollout changed since you looked at it. Look again, then snooze it.", {
    changes: null,
  });
}
