import { randomUUID } from "node:crypto";
import type { UpdateObject } from "kysely";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { Identity } from "#lib/server/people/auth/derive-rights.ts";
import { closeSession } from "#lib/server/people/auth/stored-session.ts";
import { readDatabaseTime, transactionTime } from "#lib/server/platform/db/database-time.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
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
  const { identity, name, email, claims, method, authenticatedAt, replaces } = signIn;
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
      const { issuer, subject } = identity;
      const userId = await ensureAccount(client, {
        ...{ issuer, subject, name, email },
        changes: { name, email: email ?? null, last_seen_at: transactionTime },
      });
      // Open sessions are judged by this clock.
      const now = await readDatabaseTime(client);
      const after = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
      await prismaOn(client).userSession.create({
        data: {
          id: sessionId,
          userId,
          username: identity.username,
          groups: [...identity.groups],
          claims: keepClaims(claims),
          createdAt: now,
          lastSeenAt: now,
          idleExpiresAt: after(Math.min(idleMinutes, absoluteHours * 60)),
          absoluteExpiresAt: after(absoluteHours * 60),
          authenticatedAt: authenticatedAt !== undefined && authenticatedAt > now ? now : (authenticatedAt ?? null),
          userAgent: signIn.userAgent?.slice(0, 300) ?? null,
          address: signIn.address ?? null,
        },
        select: { id: true },
      });
      if (replaces !== undefined) await closeSession(client, { id: replaces, at: now.toISOString() });
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

/** Creates the person's account, or sets `changes` on the one that exists. Returns its id. */
export async function ensureAccount(
  connection: Connection,
  {
    issuer,
    subject,
    name,
    email,
    changes,
  }: {
    issuer: string;
    subject: string;
    name: string;
    email?: string | undefined;
    changes: UpdateObject<Tables, "user_account">;
  },
): Promise<string> {
  const row = await readRow(
    connection,
    tables
      .insertInto("user_account")
      .values({ id: randomUUID(), issuer, subject, name, email })
      .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doUpdateSet(changes))
      .returning("id"),
  );
  if (row === undefined) throw new Error("the account was not returned");
  return row.id;
}
