import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

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
