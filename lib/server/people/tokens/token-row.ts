import { Role } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** The fields shown for a token. The hash never leaves the database. */
export const tokenFields = {
  id: true,
  name: true,
  role: true,
  owner: { select: { name: true } },
  username: true,
  groups: true,
  restricted: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
} as const satisfies Prisma.ApiTokenSelect;

export type TokenRow = Prisma.ApiTokenGetPayload<{ select: typeof tokenFields }>;

/** Selects the tokens that the actor sees and revokes: a person's own, only itself for a token, all for an admin. */
export function isListedFor({ rights, type, token, userId }: Actor): Prisma.ApiTokenWhereInput {
  if (isAdmin(rights)) return {};
  return type === "token" ? { id: { in: token === undefined ? [] : [token.id] } } : { ownerId: userId };
}

export function serializeToken(row: TokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    role: Role.parse(row.role),
    owner: row.owner.name,
    actsAs: { username: row.username, groups: row.groups },
    restricted: row.restricted,
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}

const dayMs = 86_400_000;

type NewToken = {
  id: string;
  /** Only its hash is stored. */
  secret: string;
  name: string;
  role: Role;
  ownerId: string;
  username: string;
  groups: readonly string[];
  /** It has only the rights of bindings that name it. */
  restricted: boolean;
  /** If undefined, it does not expire. */
  expiresInDays: number | undefined;
};

/** Stores a token inside the transaction that writes its audit entry. */
export async function insertToken(
  connection: Connection,
  { id, secret, name, role, ownerId, username, groups, restricted, expiresInDays }: NewToken,
): Promise<TokenRow> {
  const createdAt = await readDatabaseTime(connection);
  const expiresAt = expiresInDays === undefined ? null : new Date(createdAt.getTime() + expiresInDays * dayMs);
  const draft = { id, name, role, ownerId, username, groups: [...groups], restricted, createdAt, expiresAt };
  const prisma = prismaOn(connection);
  await prisma.apiToken.create({ data: { ...draft, tokenHash: hashToken(secret) }, select: { id: true } });
  return prisma.apiToken.findFirstOrThrow({ where: { id }, select: tokenFields });
}

/** Tokens of one person that are neither expired nor revoked. */
export const maxTokens = 50;

/** Throws `conflict` if the owner has more valid tokens than allowed, or would have with `more` new ones. */
export async function assertWithinLimit(
  connection: Connection,
  { ownerId, more = 0 }: { ownerId: string; more?: number },
): Promise<void> {
  const now = await readDatabaseTime(connection);
  const count = await prismaOn(connection).apiToken.count({
    where: { ownerId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  if (count + more > maxTokens)
    throw new ServiceError(
      "conflict",
      `You have ${count} valid tokens, and the limit is ${maxTokens}: revoke one first.`,
    );
}
