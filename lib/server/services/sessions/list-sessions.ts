import type { Session } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import {
  openSessionSql,
  type SessionRow,
  serializeSession,
  sessionColumns,
} from "#lib/server/services/sessions/session-row.ts";

/** Open sessions, last used first: one's own, or everybody's for an admin. */
export async function listSessions({
  ctx: { actor, runtime },
}: {
  ctx: ServiceContext;
}): Promise<{ items: Session[]; nextCursor: null }> {
  const { rows } = await runtime.pool.query<SessionRow>(
    `SELECT ${sessionColumns} FROM user_session s JOIN user_account u ON u.id = s.user_id
     WHERE ${openSessionSql} AND ($1 OR s.user_id = $2) ORDER BY s.last_seen_at DESC, s.id LIMIT 1000`,
    [isAdmin(actor.rights), actor.userId],
  );
  return { items: rows.map((row) => serializeSession(row, actor.session?.id)), nextCursor: null };
}
