import { Role } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import type { Actor } from "#lib/server/platform/actor/actor.ts";
import type { Prisma } from "#lib/server/platform/db/generated/client.ts";

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
