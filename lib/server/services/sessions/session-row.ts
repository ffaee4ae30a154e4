import type { Session } from "#lib/contract/system.ts";

/** Needs `user_session s JOIN user_account u`. */
export const sessionColumns = `s.id, s.user_id, u.issuer, u.subject, u.name, s.created_at, s.last_seen_at,
  s.idle_expires_at, s.absolute_expires_at, s.authenticated_at, s.user_agent, s.address`;
/** By the database's clock, like the sign-in check. */
export const openSessionSql = "s.revoked_at IS NULL AND s.idle_expires_at > now() AND s.absolute_expires_at > now()";

export type SessionRow = {
  id: string;
  user_id: string;
  issuer: string;
  subject: string;
  name: string;
  created_at: Date;
  last_seen_at: Date;
  idle_expires_at: Date;
  absolute_expires_at: Date;
  authenticated_at: Date | null;
  user_agent: string | null;
  address: string | null;
};

export function serializeSession(row: SessionRow, currentId: string | undefined): Session {
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
