import { z } from "zod";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { isUnwritableError } from "#lib/server/platform/db/database-errors.ts";
import { secondsAfter, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Selects sessions that are open by the database's clock, with their person. */
export const selectOpenSessions = tables
  .selectFrom("user_session as s")
  .innerJoin("user_account as u", "u.id", "s.user_id")
  .select(["s.id", "s.user_id", "u.issuer", "u.subject", "u.name"])
  .select(["s.authenticated_at", "s.idle_expires_at", "s.absolute_expires_at"])
  .where("s.revoked_at", "is", null)
  .where("s.idle_expires_at", ">", transactionTime)
  .where("s.absolute_expires_at", ">", transactionTime);

/** Ends the session, at the time of its audit entry. One that was revoked before stays as it is. */
export async function closeSession(connection: Connection, { id, at }: { id: string; at: string }): Promise<void> {
  await prismaOn(connection).userSession.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: at } });
}

/**
 * Throws `unauthenticated` if the actor's session was ended after the request began. Call it in the transaction of an
 * entry: the end of a session has one too, so that either sees the other.
 */
export async function assertSessionOpen(connection: Connection, { session }: Actor): Promise<void> {
  if (session === undefined) return;
  const where = { id: session.id, revokedAt: { not: null } };
  const ended = await prismaOn(connection).userSession.count({ where });
  if (ended > 0) throw new ServiceError("unauthenticated", "Your session has ended. Sign in again.");
}

export type Session = {
  id: string;
  user: { id: string; issuer: string; subject: string; name: string };
  username: string;
  groups: string[];
  claims: Record<string, unknown>;
  authenticatedAt: Date | null;
  idleExpiresAt: Date;
  absoluteExpiresAt: Date;
};

const selectSignedIn = selectOpenSessions
  .select(["s.username", "s.groups", "s.claims"])
  .select(({ eb }) => eb("s.last_seen_at", "<", secondsBefore(transactionTime, 60)).as("needs_touch"));

/**
 * Finds a session that is valid by the database's clock. `isActive` marks a person's own activity, which extends the
 * idle time, at most once a minute; automatic requests of an open page do not.
 */
export async function findSession({
  runtime,
  sessionId,
  isActive,
}: {
  runtime: WebRuntime;
  sessionId: string;
  isActive: boolean;
}): Promise<Session | undefined> {
  if (!z.uuid().safeParse(sessionId).success) return undefined;
  const row = await readRow(runtime.pool, selectSignedIn.where("s.id", "=", sessionId));
  if (row === undefined) return undefined;
  const idleExpiresAt = isActive && row.needs_touch ? await touch(runtime, sessionId) : row.idle_expires_at;
  return {
    id: row.id,
    user: { id: row.user_id, issuer: row.issuer, subject: row.subject, name: row.name },
    username: row.username,
    // The column allows null, which only a row made by hand has.
    groups: row.groups ?? [],
    claims: row.claims,
    authenticatedAt: row.authenticated_at,
    idleExpiresAt: idleExpiresAt ?? row.idle_expires_at,
    absoluteExpiresAt: row.absolute_expires_at,
  };
}

/**
 * Records the activity. Also returns undefined if the write failed: readers need not wait until the database accepts
 * writes again.
 */
async function touch(runtime: WebRuntime, sessionId: string): Promise<Date | undefined> {
  const { idleMinutes } = runtime.config().config.auth.session;
  const touch = tables
    .updateTable("user_session")
    .set(
      ({ fn, ref }) =>
        ({
          last_seen_at: transactionTime,
          idle_expires_at: fn<Date>("least", [
            secondsAfter(transactionTime, idleMinutes * 60),
            ref("absolute_expires_at"),
          ]),
        }) satisfies Columns<"user_session">,
    )
    .where("id", "=", sessionId)
    .where("revoked_at", "is", null)
    .returning("idle_expires_at");
  return (await bestEffort(runtime, () => readRow(runtime.pool, touch)))?.idle_expires_at;
}

/** Revokes a session and records the sign-out, both or neither. A session that has already ended stays unchanged. */
export async function endSession({
  runtime,
  sessionId,
  requestId,
}: {
  runtime: WebRuntime;
  sessionId: string;
  requestId: string;
}): Promise<void> {
  const session = await findSession({ runtime, sessionId, isActive: false });
  if (session === undefined) return;
  const { issuer, subject, name } = session.user;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: { type: "user", issuer, subject, name },
      source: "gatehouse",
      code: "session.signout",
      requestId,
    },
    within: (client, { time }) => closeSession(client, { id: sessionId, at: time }),
  });
}

/** Runs a write such as the time when a person was last seen: its failure must not fail the request. */
export async function bestEffort<Result>(
  runtime: WebRuntime,
  write: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await write();
  } catch (error) {
    if (isUnwritableError(error)) runtime.health.suspectWrites();
    runtime.log.warn({ err: error }, "what was last seen could not be written");
    return undefined;
  }
}
