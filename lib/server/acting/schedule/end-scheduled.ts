import type { Pool, PoolClient } from "pg";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { detailOf, noIdentity, type ScheduledRow } from "#lib/server/acting/schedule/scheduled-row.ts";
import { appendAudit, systemActor } from "#lib/server/audit/append-audit.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { withChangeLog } from "#lib/server/platform/db/log-change.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";

export type ScheduleEnd = {
  state: "done" | "refused" | "superseded" | "missed";
  message: string;
  actionId?: string | undefined;
};

/**
 * Ends the request, if it is as it was read: a newer claim, an intent or a withdrawal prevents it. Returns whether it
 * was ended.
 */
export async function endScheduled(
  connection: Pool | PoolClient,
  row: ScheduledRow,
  end: ScheduleEnd,
): Promise<boolean> {
  const update = tables
    .updateTable("scheduled_action as s")
    .set({
      state: end.state,
      message: toColumn(end.message),
      ended_at: clockTime,
      identity: noIdentity,
      ...(end.actionId === undefined ? {} : { action_id: end.actionId }),
    })
    .where("s.id", "=", row.id)
    .where("s.state", "=", row.state)
    .where("s.claim", "=", row.claim)
    .where("s.action_id", "is not distinct from", row.actionId)
    .returning(["s.id", "s.cluster", "s.namespace", "s.kind", "s.name"]);
  return (await write(connection, withChangeLog("scheduled-action", update))) === 1;
}

/** Ends a request that became no action, with an entry of Gatehouse itself. Returns false if it is not as it was read. */
export async function endUndone({
  pool,
  row,
  end,
}: {
  pool: Pool;
  row: ScheduledRow;
  end: ScheduleEnd;
}): Promise<boolean> {
  const { state, message } = end;
  try {
    await appendAudit({
      pool,
      entry: {
        actor: systemActor,
        source: "system",
        code: "action.schedule",
        action: row.action,
        target: auditTargetOf(row),
        outcome: "refused",
        detail: { ...detailOf(row), why: state, message },
        requestId: `schedule-${row.id}`,
        ...(row.reason === null ? {} : { reason: row.reason }),
      },
      within: async (client) => {
        if (!(await endScheduled(client, row, end)))
          throw new ServiceError("conflict", "The request has been changed meanwhile.");
      },
    });
    return true;
  } catch (error) {
    if (isServiceError(error) && error.code === "conflict") return false;
    throw error;
  }
}
