import { z } from "zod";
import type { Session } from "#lib/contract/system.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { closeSession } from "#lib/server/people/auth/open-sessions.ts";
import { isListedFor, selectListedSessions, serializeSession } from "#lib/server/people/sessions/session-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/**
 * Ends one's own session, or any session for an admin; it is refused from the next request on. Throws `not_found` for a
 * session that is over, and for other people's.
 */
export async function revokeSession({ ctx, input }: Call<{ id: string }>): Promise<Session> {
  const { actor, runtime } = ctx;
  const missing = new ServiceError("not_found", `There is no open session ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const found = selectListedSessions.where((eb) => allOf([eb("s.id", "=", input.id), isListedFor(actor)]));
  const row = await readRow(runtime.pool, found);
  if (row === undefined) throw missing;
  await appendChange(ctx, {
    code: "session.revoke",
    detail: { id: row.id, issuer: row.issuer, subject: row.subject, name: row.name },
    within: (client, { time }) => closeSession(client, { id: row.id, at: time }),
  });
  return serializeSession(row, actor.session?.id);
}
