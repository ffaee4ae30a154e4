import { randomUUID } from "node:crypto";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Identity } from "#lib/server/auth/derive-rights.ts";
import type { WebRuntime } from "#lib/server/process/web-runtime.ts";

/** Limit on the claims that cluster mappings may name; the rest of what a provider sends is not ours to keep. */
const keptClaims = 40;

export type SignIn = {
  identity: Identity;
  /** Display name. */
  name: string;
  email?: string;
  claims: Readonly<Record<string, unknown>>;
  method: "demo" | "oidc";
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
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO user_account (id, issuer, subject, name, email) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (issuer, subject)
         DO UPDATE SET name = EXCLUDED.name, email = EXCLUDED.email, last_seen_at = now() RETURNING id`,
        [randomUUID(), identity.issuer, identity.subject, name, email ?? null],
      );
      await client.query(
        `INSERT INTO user_session (id, user_id, username, groups, claims, idle_expires_at, absolute_expires_at,
           authenticated_at, user_agent, address)
         VALUES ($1, $2, $3, $4, $5, now() + LEAST(make_interval(mins => $6), make_interval(hours => $7)),
           now() + make_interval(hours => $7), CASE WHEN $8::timestamptz IS NOT NULL THEN LEAST($8, now()) END, $9, $10)`,
        [
          sessionId,
          rows[0]?.id,
          identity.username,
          [...identity.groups],
          JSON.stringify(keepClaims(claims)),
          idleMinutes,
          absoluteHours,
          signIn.authenticatedAt ?? null,
          signIn.userAgent?.slice(0, 300) ?? null,
          signIn.address ?? null,
        ],
      );
      if (replaces !== undefined)
        await client.query("UPDATE user_session SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL", [
          replaces,
        ]);
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
