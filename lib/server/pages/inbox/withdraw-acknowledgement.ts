import type { InboxAnswer } from "#lib/contract/inbox.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { assertMayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import { findWait } from "#lib/server/people/permission/find-wait.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";

const deleteAcknowledgement = tables
  .deleteFrom("wait_mark")
  .where("kind", "=", "acknowledgement")
  .returning(({ ref }) => ["marked_by_name", "marked_at", ref("reason").$notNull().as("reason")]);

/** Returns an acknowledged rollout to the inbox, no matter who acknowledged it. Throws `conflict` for any other. */
export async function withdrawAcknowledgement({ ctx, input }: Call<RolloutPath>): Promise<InboxAnswer> {
  const row = await findWait(ctx, input);
  assertMayAcknowledge(ctx, row);
  let withdrawn: RowOf<typeof deleteAcknowledgement> | undefined;
  await appendChange(ctx, {
    code: "attention.withdraw",
    target: auditTargetOf(row),
    within: async (client) => {
      withdrawn = await readRow(client, deleteAcknowledgement.where("rollout_id", "=", row.id));
      if (withdrawn === undefined) throw new ServiceError("conflict", "This rollout is not acknowledged.");
      await logRolloutChange(client, row);
    },
  });
  if (withdrawn === undefined) throw new Error("the withdrawn acknowledgement was not returned");
  const { marked_by_name: who, marked_at: at, reason } = withdrawn;
  return { kind: "acknowledged", who, at: at.toISOString(), reason };
}
