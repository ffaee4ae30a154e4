import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Identity } from "#lib/server/people/auth/derive-rights.ts";
import { ensureAccount } from "#lib/server/people/auth/ensure-account.ts";
import { closeSession } from "#lib/server/people/auth/open-sessions.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Limit on the claims that cluster mappings may name; a provider's other claims are not ours to keep. */
const keptClaims = 40;

export type SignIn = {
  identity: Identity;
  /** Display name. */
  name: string;
  email?: string;
  claims: Readonly<Record<string, unknown>>;
  method: string;
  /** When the person signed in; undefined if the provider did not say. */
  authenticatedAt: Date | undefined;
  userAgent?: string | undefined;
  address?: string | undefined;
  /** The session that this sign-in replaces and ends. */
  replaces?: string | undefined;
};

/**
 * Records the person and opens a session, together with the audit entry of the sign-in: all or nothing. Returns the
 * session's id. Throws `audit_unavailable` if the database refuses the write.
 */
export async function startSession({
  runtime,
  signIn,
  requestId,
}: {
  runtime: WebRuntime;
  signIn: SignIn;
  requestId: string;
}): Promise<string> {
  const { identity, name, email, claims, method, replaces } = signIn;
  const sessionId = randomUUID();
  const { idleMinutes, absoluteHours } = runtime.config().config.auth.session;
  const idle = sql`make_interval(mins => ${idleMinutes})`;
  const absolute = sql`make_interval(hours => ${absoluteHours})`;
  const at = signIn.authenticatedAt ?? null;
  await appendAudit({
    pool: runtime.pool,
    entry: {
      actor: { type: "user", issuer: identity.issuer, subject: identity.subject, name },
      source: "gatehouse",
      code: "session.signin",
      detail: { method },
      requestId,
    },
    within: async (client) => {
      const { issuer, subject } = identity;
      const userId = await ensureAccount(client, {
        ...{ issuer, subject, name, email },
        changes: { name, email: email ?? null, last_seen_at: transactionTime },
      });
      await write(
        client,
        tables.insertInto("user_session").values({
          id: sessionId,
          user_id: userId,
          username: identity.username,
          groups: [...identity.groups],
          claims: keepClaims(claims),
          idle_expires_at: sql<Date>`now() + LEAST(${idle}, ${absolute})`,
          absolute_expires_at: sql<Date>`now() + ${absolute}`,
          authenticated_at: sql<Date | null>`CASE WHEN ${at}::timestamptz IS NOT NULL THEN LEAST(${at}, now()) END`,
          user_agent: signIn.userAgent?.slice(0, 300) ?? null,
          address: signIn.address ?? null,
        }),
      );
      if (replaces !== undefined) await closeSession(client, replaces);
    },
  });
  return sessionId;
}

function keepClaims(claims: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isKept = (value: unknown) =>
    typeof value === "string" || typeof value === "boolean" || typeof value === "number" || Array.isArray(value);
  const entries = Object.entries(claims).filter(([, value]) => isKept(value));
  return Object.fromEntries(entries.slice(0, keptClaims));
}
