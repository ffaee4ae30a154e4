import { ActionName } from "#lib/contract/rollout.ts";
import type { ScheduledAction } from "#lib/contract/scheduled-action.ts";
import { formatObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { mayAct } from "#lib/domain/policy/rights.ts";
import { type Actor, actorKey, describePerson } from "#lib/server/platform/actor/actor.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

export type ScheduledRow = Prisma.ScheduledActionGetPayload<object>;

/** Reads the request that is pending or being done; there is at most one for each rollout and action. */
export async function findOpenSchedule(
  connection: Connection,
  { rolloutId, action }: { rolloutId: string; action: string },
): Promise<ScheduledRow | undefined> {
  const row = await prismaOn(connection).scheduledAction.findFirst({
    where: { rolloutId, action, state: { in: ["pending", "running"] } },
  });
  return row ?? undefined;
}

export function serializeScheduled(row: ScheduledRow, actor: Actor): ScheduledAction {
  const { cluster, namespace, kind, name } = row;
  return {
    id: row.id,
    rollout: { id: formatObjectRef(row), cluster, namespace, kind, name },
    action: ActionName.parse(row.action),
    params: readStoredRequest(row).params,
    reason: row.reason,
    dueAt: row.dueAt.toISOString(),
    state: row.state,
    message: row.message,
    requestedBy: row.requestedByName,
    requestedByUsername: row.requestedUsername,
    own: row.requestedBy === actorKey(actor),
    withdrawable: row.state === "pending" && mayWithdraw(row, actor),
    requestedAt: row.requestedAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    actionId: row.actionId,
  };
}

/** Returns whether the actor requested it, or may do the action. A token needs the right to the action in any case. */
export function mayWithdraw(row: ScheduledRow, actor: Actor): boolean {
  if (mayAct(actor.rights, { action: row.action, target: row })) return true;
  return actor.type === "user" && row.requestedBy === actorKey(actor);
}

/** The detail of entries about a scheduled action. */
export function detailOf(row: ScheduledRow): Record<string, unknown> {
  return {
    schedule: row.id,
    dueAt: row.dueAt.toISOString(),
    requestedBy: describePerson({
      key: row.requestedBy,
      name: row.requestedByName,
      username: row.requestedUsername,
    }),
  };
}

/** What is left of the identity once a request has ended. */
export const noIdentity = jsonOf<Column.ScheduledIdentity>('{"groups": [], "claims": {}, "token": null}');
