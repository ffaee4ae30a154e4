import type { ScheduledAction, ScheduledListQuery } from "#lib/contract/scheduled-action.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { detailOf, mayWithdraw, noIdentity, serializeScheduled } from "#lib/server/acting/schedule/scheduled-row.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { auditRefusal } from "#lib/server/audit/audit-refusal.ts";
import { assertReadable, isReadable } from "#lib/server/people/permission/read-scope.ts";
import type { StoreCall } from "#lib/server/platform/actor/actor.ts";
import { isServiceError, ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { logChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";

const mostListed = 500;
const shownSeconds = 24 * 3600;

/** Lists what is to be done on rollouts within reach, and what was not done in the last day. */
export async function listScheduledActions({
  ctx: { runtime, actor },
  input: { cluster, namespace, name },
}: StoreCall<ScheduledListQuery>): Promise<{ items: ScheduledAction[] }> {
  const found = await readRows(
    runtime.pool,
    tables
      .selectFrom("scheduled_action as s")
      .select("s.id")
      .where((eb) =>
        allOf([
          isReadable(actor.rights, {
            cluster: eb.ref("s.cluster"),
            namespace: eb.ref("s.namespace"),
            kind: eb.ref("s.kind"),
            name: eb.ref("s.name"),
          }),
          eb.or([
            eb("s.state", "in", ["pending", "running"]),
            allOf([
              eb("s.state", "in", ["refused", "superseded", "missed"]),
              eb("s.ended_at", ">", secondsBefore(transactionTime, shownSeconds)),
            ]),
          ]),
          given(cluster, (text) => eb("s.cluster", "=", text)),
          given(namespace, (text) => eb("s.namespace", "=", text)),
          given(name, (text) => eb("s.name", "=", text)),
        ]),
      )
      .orderBy("s.due_at")
      .orderBy("s.id")
      .limit(mostListed),
  );
  const rows = await prismaOn(runtime.pool).scheduledAction.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    orderBy: [{ dueAt: "asc" }, { id: "asc" }],
  });
  return { items: rows.map((row) => serializeScheduled(row, actor)) };
}

/** Throws `not_found`. */
export async function getScheduledAction({ ctx, input }: StoreCall<{ id: string }>): Promise<ScheduledAction> {
  return serializeScheduled(await findScheduled({ ctx, input }), ctx.actor);
}

async function findScheduled({ ctx: { runtime, actor }, input: { id } }: StoreCall<{ id: string }>) {
  const missing = `There is no scheduled action ${id}.`;
  const row = await prismaOn(runtime.pool).scheduledAction.findFirst({ where: { id } });
  if (row === null) throw new ServiceError("not_found", missing);
  assertReadable(actor.rights, row, missing);
  return row;
}

/**
 * Withdraws a pending request. Throws `forbidden` for those who neither requested it nor may do the action, and
 * `conflict` once it is being done or has ended.
 */
export async function withdrawScheduledAction({ ctx, input }: StoreCall<{ id: string }>): Promise<ScheduledAction> {
  const row = await findScheduled({ ctx, input });
  const { id, cluster, namespace, kind, name, action } = row;
  const asked = { code: "action.unschedule", action, target: auditTargetOf(row), detail: detailOf(row) };
  try {
    if (!mayWithdraw(row, ctx.actor))
      throw new ServiceError("forbidden", `Your rights do not include ${action} on ${namespace}/${name}.`);
    await appendChange(ctx, {
      ...asked,
      within: async (client) => {
        const withdrawn = await write(
          client,
          tables
            .updateTable("scheduled_action")
            .set({
              state: "withdrawn",
              message: toColumn(`Withdrawn by ${ctx.actor.name}.`),
              ended_at: clockTime,
              identity: noIdentity,
            })
            .where("id", "=", id)
            .where("state", "in", ["pending", "running"])
            .where("action_id", "is", null),
        );
        if (withdrawn !== 1) throw new ServiceError("conflict", "It is being done now, or has ended.");
        await logChange(client, { kind: "scheduled-action", ref: id, cluster, namespace, object_kind: kind, name });
      },
    });
  } catch (error) {
    if (isServiceError(error)) await auditRefusal({ ctx, error, asked, place: id });
    throw error;
  }
  return getScheduledAction({ ctx, input });
}
