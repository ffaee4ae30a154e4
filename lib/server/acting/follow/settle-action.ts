import type { Pool } from "pg";
import type { AuditDraft } from "#lib/domain/audit/audit-entry.ts";
import { appendAudit, systemActor } from "#lib/server/audit/append-audit.ts";
import { describePerson } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { startSpan } from "#lib/server/platform/telemetry/tracing.ts";
import {
  type ActionChange,
  type ActionRow,
  actionAttributes,
  StoredPlan,
  updateAction,
} from "#lib/server/records/action-store.ts";

/** Writes the entry and the state atomically. Returns false if the action was settled elsewhere. */
export async function settleWithEntry({
  pool,
  row,
  entry,
  changeOf,
  from,
  onlyWatched = false,
}: {
  pool: Pool;
  row: ActionRow;
  entry: AuditDraft;
  changeOf: (seq: number) => ActionChange;
  from: readonly ActionRow["state"][];
  /** Only while it is still watched: only one of several recorders may write the end. */
  onlyWatched?: boolean;
}): Promise<boolean> {
  let change: ActionChange = {};
  try {
    await appendAudit({
      pool,
      entry,
      within: async (client, { seq }) => {
        change = changeOf(seq);
        const isOurs = await updateAction({ client, id: row.id, change, from, onlyWatched });
        if (!isOurs) throw new ServiceError("conflict", "Another process has already settled this action.");
      },
    });
    traceFollowed(row, change);
    return true;
  } catch (error) {
    if (isServiceError(error) && error.code === "conflict") return false;
    throw error;
  }
}

/** Adds to the trace of the request: a span from the outcome until now, when the state became known. */
export function traceFollowed(row: ActionRow, { state, why }: ActionChange): void {
  const parent = StoredPlan.safeParse(row.plan).data?.traceparent;
  if (parent === undefined) return;
  const attributes = { ...actionAttributes(row), "gatehouse.action.state": state, "gatehouse.action.why": why };
  startSpan("follow-up", { parent, startAt: row.applied_at ?? row.requested_at, attributes })?.end();
}

/** Builds an audit entry by the recorder about a requested action. */
export function entryOf({
  row,
  message,
  detail = {},
}: {
  row: ActionRow;
  message: string;
  detail?: Record<string, unknown>;
}): AuditDraft {
  const { cluster, namespace, kind, name } = row;
  const agent = StoredPlan.safeParse(row.plan).data?.agent;
  return {
    actor: systemActor,
    source: "system",
    code: `action.${row.action}`,
    action: row.action,
    actionId: row.id,
    target: { id: `${cluster}/${namespace}/${kind}/${name}`, cluster, namespace, kind, name },
    detail: {
      message,
      ...(row.group_seq === null ? {} : { group: Number(row.group_seq) }),
      // As in the entry of the intent, which has its name too.
      ...(agent === undefined ? {} : { agent: { id: agent, tool: "act" } }),
      ...detail,
      requestedBy: describePerson({ key: row.actor_key, name: row.actor_name, username: row.actor_username }),
    },
    requestId: row.request_id,
  };
}
