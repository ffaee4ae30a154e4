import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { findSession } from "#lib/server/people/auth/find-session.ts";
import { closeSession } from "#lib/server/people/auth/open-sessions.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

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
