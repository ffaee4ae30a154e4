import type { Session } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { selectOpenSessions } from "#lib/server/people/auth/open-sessions.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Condition } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

export const selectListedSessions = selectOpenSessions.select([
  "s.created_at",
  "s.last_seen_at",
  "s.user_agent",
  "s.address",
]);

const session = fragment<{ s: "user_session" }>();

/**
 * Returns the condition that the actor sees and ends session `s`: a person's own, and undefined for an admin, who sees
 * all. A token has no sessions: those of its owner are the owner's.
 */
export function isListedFor({ rights, type, userId }: Actor): Condition | undefined {
  if (isAdmin(rights)) return undefined;
  return type === "user" ? session("s.user_id", "=", userId) : session.lit(false);
}

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
