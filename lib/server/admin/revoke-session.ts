import type { Session } from "#lib/contract/system.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { detailOf, noIdentity, type ScheduledRow } from "#lib/server/acting/schedule/scheduled-row.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { closeSession, selectOpenSessions } from "#lib/server/people/auth/stored-session.ts";
import { findListedSession } from "#lib/server/people/sessions/sessions.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { withChangeLog } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { textAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables, toColumn } from "#lib/server/platform/db/tables.ts";
import type { Call, ServiceContext } from "#lib/server/process/service-context.ts";

/**
 * Ends one's own session, or any session for an admin; it is refused from the next request on. What its person scheduled
 * in it or in a session that is over, and has not begun, is withdrawn: a sign-in replaces a stolen session, which is then
 * listed no more. A terminal that its person approved gets no token. Throws `not_found` for a session that is over and
 * for other people's, and `conflict` if something was scheduled or approved meanwhile.
 */
export async function revokeSession({ ctx, input }: Call<{ id: string }>): Promise<Session> {
  const { row, session } = await findListedSession(ctx, input.id);
  const { id, issuer, subject, name } = row;
  const ended = { id, userId: row.user_id, requestedBy: actorKey(row) };
  const left = await readLeft(ctx.runtime.pool, ended, ctx.runtime.now());
  await appendChange(ctx, {
    code: "session.revoke",
    detail: { id, issuer, subject, name, ...idsOf(left) },
    within: async (client, { time }) => {
      await closeSession(client, { id, at: time });
      const now = idsOf(await readLeft(client, ended, ctx.runtime.now()));
      if (JSON.stringify(now) !== JSON.stringify(idsOf(left)))
        throw new ServiceError("conflict", "An action or a terminal of this session has changed meanwhile. Try again.");
      await endLeft(client, { left, by: ctx.actor.name, at: new Date(time) });
    },
  });
  await auditLeft(ctx, { left, session: id });
  return session;
}

/** What a session and those before it would leave behind: scheduled actions that have not begun, and terminals without their token. */
type Left = { scheduled: ScheduledRow[]; terminals: { id: string; deviceName: string }[] };

function idsOf({ scheduled, terminals }: Left): { withdrawn?: string[]; terminals?: string[] } {
  return {
    ...(scheduled.length === 0 ? {} : { withdrawn: scheduled.map(({ id }) => id) }),
    ...(terminals.length === 0 ? {} : { terminals: terminals.map(({ id }) => id) }),
  };
}

const a = fragment<{ a: "scheduled_action" }>();

async function readLeft(
  connection: Connection,
  { id, userId, requestedBy }: { id: string; userId: string; requestedBy: string },
  now: Date,
): Promise<Left> {
  const otherOpen = selectOpenSessions
    .where("s.user_id", "=", userId)
    .where("s.id", "<>", id)
    .where(({ eb, cast }) => eb(cast<string>("s.id", "text"), "=", textAt(a.ref("a.identity"), "session")));
  const found = await readRows(
    connection,
    tables
      .selectFrom("scheduled_action as a")
      .select("a.id")
      .where((eb) =>
        allOf([
          eb("a.requested_by", "=", toColumn(requestedBy)),
          eb("a.state", "in", ["pending", "running"]),
          eb("a.action_id", "is", null),
          eb(textAt(a.ref("a.identity"), "token"), "is", null),
          // Of an earlier version's request the session is not known.
          eb.not(eb.exists(otherOpen)),
        ]),
      ),
  );
  const { scheduledAction, deviceRequest } = prismaOn(connection);
  const scheduled = await scheduledAction.findMany({
    where: { id: { in: found.map((row) => row.id) } },
    orderBy: { id: "asc" },
  });
  const terminals = await deviceRequest.findMany({
    where: { ownerId: userId, state: "approved", expiresAt: { gt: now } },
    orderBy: { id: "asc" },
    select: { id: true, deviceName: true },
  });
  return { scheduled, terminals };
}

async function endLeft(
  client: Connection,
  { left: { scheduled, terminals }, by, at }: { left: Left; by: string; at: Date },
): Promise<void> {
  if (scheduled.length > 0) {
    const withdraw = tables
      .updateTable("scheduled_action as s")
      .set({
        state: "withdrawn",
        message: toColumn(`${by} revoked a session of the person who requested it.`),
        ended_at: clockTime,
        identity: noIdentity,
      })
      .where(
        "s.id",
        "in",
        scheduled.map(({ id }) => id),
      )
      .where("s.state", "in", ["pending", "running"])
      .where("s.action_id", "is", null)
      .returning(["s.id", "s.cluster", "s.namespace", "s.kind", "s.name"]);
    await write(client, withChangeLog("scheduled-action", withdraw));
  }
  await prismaOn(client).deviceRequest.updateMany({
    where: { id: { in: terminals.map(({ id }) => id) }, state: "approved" },
    data: { state: "refused", decidedAt: at },
  });
}

/**
 * Writes the entries that a withdrawal and a refusal have by themselves. Never throws: all is done already, and the
 * session's own entry names them too.
 */
async function auditLeft(
  ctx: ServiceContext,
  { left: { scheduled, terminals }, session }: { left: Left; session: string },
): Promise<void> {
  const results = await Promise.allSettled([
    ...scheduled.map((row) =>
      appendChange(ctx, {
        code: "action.unschedule",
        action: row.action,
        target: auditTargetOf(row),
        detail: { ...detailOf(row), session },
      }),
    ),
    ...terminals.map(({ id, deviceName }) =>
      appendChange(ctx, { code: "device.refuse", detail: { request: id, device: deviceName, session } }),
    ),
  ]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined)
    ctx.runtime.log.error(
      { err: failed.reason, requestId: ctx.requestId, session },
      "entries about what ended with a session could not be written",
    );
}
