import { z } from "zod";
import { bestEffort } from "#lib/server/auth/best-effort.ts";
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

const Row = z.object({
  id: z.string(),
  user_id: z.string(),
  issuer: z.string(),
  subject: z.string(),
  name: z.string(),
  username: z.string(),
  groups: z.array(z.string()).nullable(),
  claims: z.record(z.string(), z.unknown()),
  authenticated_at: z.date().nullable(),
  idle_expires_at: z.date(),
  absolute_expires_at: z.date(),
  needs_touch: z.boolean(),
});

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
  const { rows } = await runtime.pool.query(
    `SELECT s.id, s.user_id, u.issuer, u.subject, u.name, s.username, s.groups, s.claims, s.authenticated_at, s.idle_expires_at,
       s.absolute_expires_at, s.last_seen_at < now() - interval '1 minute' AS needs_touch
     FROM user_session s JOIN user_account u ON u.id = s.user_id
     WHERE s.id = $1 AND s.revoked_at IS NULL AND s.idle_expires_at > now() AND s.absolute_expires_at > now()`,
    [sessionId],
  );
  if (rows.length === 0) return undefined;
  const row = Row.parse(rows[0]);
  const idleExpiresAt = isActive && row.needs_touch ? await touch(runtime, sessionId) : row.idle_expires_at;
  return {
    id: row.id,
    user: { id: row.user_id, issuer: row.issuer, subject: row.subject, name: row.name },
    username: row.username,
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
  const touched = await bestEffort(runtime, () =>
    runtime.pool.query<{ idle_expires_at: Date }>(
      `UPDATE user_session SET last_seen_at = now(),
         idle_expires_at = LEAST(now() + make_interval(mins => $2), absolute_expires_at)
       WHERE id = $1 AND revoked_at IS NULL RETURNING idle_expires_at`,
      [sessionId, runtime.config().config.auth.session.idleMinutes],
    ),
  );
  return touched?.rows[0]?.idle_expires_at;
}
