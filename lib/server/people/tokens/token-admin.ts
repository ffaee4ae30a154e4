import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Role } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { ensureAccount } from "#lib/server/people/auth/start-session.ts";
import { createTokenSecret } from "#lib/server/people/auth/token-secret.ts";
import { insertToken, serializeToken, type TokenRow, tokenFields } from "#lib/server/people/tokens/token-row.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const { ref } = fragment<{ user_account: "user_account" }>();

/** A command-line user has access to the database: that is the authority here, and the audit log says so. */
const operator = { type: "system", name: "gatehouse command line" } as const;

export type NewToken = {
  name: string;
  role: Role;
  /** The person it acts as. Created if unknown, so that a robot can have its own identity. */
  owner: { issuer: string; subject: string; name?: string };
  /** The owner's name for clusters and role bindings; default: the subject. */
  username?: string;
  groups?: readonly string[];
  /** It has only the rights of bindings that name it. */
  restricted?: boolean;
  expiresInDays?: number;
};

/** Implements `gatehouse token create`: returns the token once. Its rights are limited to its owner's role bindings. */
export async function createTokenAsAdmin({
  pool,
  token: draft,
}: {
  pool: pg.Pool;
  token: NewToken;
}): Promise<ApiToken & { token: string }> {
  const { owner } = draft;
  const token = createTokenSecret();
  const id = randomUUID();
  let row: TokenRow | undefined;
  await appendAudit({
    pool,
    entry: {
      actor: operator,
      source: "system",
      code: "token.create",
      outcome: "applied",
      detail: {
        id,
        name: draft.name,
        role: draft.role,
        issuer: owner.issuer,
        subject: owner.subject,
        restricted: draft.restricted === true,
      },
      requestId: randomUUID(),
    },
    within: async (client) => {
      const { issuer, subject, name = subject } = owner;
      // An account that exists keeps its name; the change only makes the database return its row.
      const ownerId = await ensureAccount(client, {
        issuer,
        subject,
        name,
        changes: { name: ref("user_account.name") },
      });
      row = await insertToken(client, {
        id,
        secret: token,
        name: draft.name,
        role: draft.role,
        ownerId,
        username: draft.username ?? owner.subject,
        groups: draft.groups ?? [],
        restricted: draft.restricted === true,
        expiresInDays: draft.expiresInDays,
      });
    },
  });
  if (row === undefined) throw new Error("the new token was not returned");
  return { ...serializeToken(row), token };
}

/** Implements `gatehouse token list`: every token, newest first, without secrets. */
export async function listAllTokens(pool: pg.Pool): Promise<ApiToken[]> {
  const rows = await prismaOn(pool).apiToken.findMany({
    select: tokenFields,
    orderBy: [{ createdAt: "desc" }, { id: "asc" }],
  });
  return rows.map(serializeToken);
}

/** Implements `gatehouse token revoke`: undefined if the token does not exist; revoking again changes nothing. */
export async function revokeTokenAsAdmin({ pool, id }: { pool: pg.Pool; id: string }): Promise<ApiToken | undefined> {
  const tokens = await listAllTokens(pool);
  const token = tokens.find((candidate) => candidate.id === id);
  if (token === undefined || token.revokedAt !== null) return token;
  await appendAudit({
    pool,
    entry: {
      actor: operator,
      source: "system",
      code: "token.revoke",
      outcome: "applied",
      detail: { id, name: token.name, role: token.role, owner: token.owner },
      requestId: randomUUID(),
    },
    within: async (client, { time }) => {
      await prismaOn(client).apiToken.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: time } });
    },
  });
  return (await listAllTokens(pool)).find((candidate) => candidate.id === id);
}
