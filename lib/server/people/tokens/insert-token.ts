import type { Role } from "#lib/contract/common.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { type TokenRow, tokenFields } from "#lib/server/people/tokens/token-row.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

const dayMs = 86_400_000;

export type NewToken = {
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
