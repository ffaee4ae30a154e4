import { z } from "zod";
import type { Session } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { auditActorOf } from "#lib/server/actor/audit-actor.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import {
  openSessionSql,
  type SessionRow,
  serializeSession,
  sessionColumns,
} from "#lib/server/services/sessions/session-row.ts";

/**
 * Ends one's own session, or anybody's for an admin; it is refused from the next request on. Throws `not_found` for a
 * session that is over, and for other people's.
 */
export async function revokeSession({
  ctx: { actor, runtime, requestId },
  input,
}: {
  ctx: ServiceContext;
  input: { id: string };
}): Promise<Session> {
  const missing = new ServiceError("not_found", `There is no open session ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const { rows } = await runtime.pool.query<SessionRow>(
    `SELECT ${sessionColumns} FROM user_session s JOIN user_account u ON u.id = s.user_id
     WHERE s.id = $1 AND ${openSessionSql} AND ($2 OR s.user_id = $3)`,
    [input.id, isAdmin(actor.rights), actor.userId],
  );
  const [row] = rows;
  if (row === undefined) throw missing;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: auditActorOf(actor),
      source: "gatehouse",
      code: "session.revoke",
      outcome: "applied",
      detail: { id: row.id, issuer: row.issuer, subject: row.subject, name: row.name },
      requestId,
    },
    within: async (client) => {
      await client.query("UPDATE user_session SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL", [row.id]);
    },
  });
  return serializeSession(row, actor.session?.id);
}
