import type { Session } from "#lib/contract/system.ts";
import { selectOpenSessions } from "#lib/server/auth/open-sessions.ts";
import type { RowOf } from "#lib/server/db/run-query.ts";

export const selectListedSessions = selectOpenSessions.select([
  "s.created_at",
  "s.last_seen_at",
  "s.user_agent",
  "s.address",
]);

export function serializeSession(row: RowOf<typeof selectListedSessions>, currentId: string | undefined): Session {
  return {
    id: row.id,
    user: { issuer: row.issuer, subject: row.subject, name: row.name },
    current: row.id === currentId,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    idleExpiresAt: row.idle_expires_at.toISOString(),
    absoluteExpiresAt: row.absolute_expires_at.toISOString(),
    authenticatedAt: row.authenticated_at?.toISOString() ?? null,
    userAgent: row.user_agent,
    address: row.address,
  };
}
