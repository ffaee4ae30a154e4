import { z } from "zod";
import { bestEffort } from "#lib/server/people/auth/best-effort.ts";
import { selectOpenSessions } from "#lib/server/people/auth/open-sessions.ts";
import { secondsAfter, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { type Columns, tables } from "#lib/server/platform/db/tables.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

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
