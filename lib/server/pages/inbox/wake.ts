import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { Snooze } from "#lib/contract/wait-handling.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertMaySnooze } from "#lib/server/pages/inbox/snooze.ts";
import { isSnoozed } from "#lib/server/pages/inbox/wait-handling.ts";
import { findWait } from "#lib/server/people/permission/find-wait.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

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
