import { z } from "zod";
import type { ApiToken } from "#lib/contract/system.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { isListedFor, serializeToken, type TokenRow, tokenFields } from "#lib/server/people/tokens/token-row.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Call } from "#lib/server/process/service-context.ts";

/**
 * Revokes a person's own token, the calling token itself, or any token for an admin; repeating it is allowed. Throws
 * `not_found`, for others' tokens too.
 */
export async function revokeToken({ ctx, input }: Call<{ id: string }>): Promise<ApiToken> {
  const missing = new ServiceError("not_found", `There is no token ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const { pool } = ctx.runtime;
  const row = await prismaOn(pool).apiToken.findFirst({
    where: { AND: [{ id: input.id }, isListedFor(ctx.actor)] },
    select: tokenFields,
  });
  if (row === null) throw missing;
  if (row.revokedAt !== null) return serializeToken(row);
  let revoked: TokenRow | undefined;
  await appendChange(ctx, {
    code: "token.revoke",
    detail: { id: row.id, name: row.name, role: row.role, owner: row.owner.name },
    within: async (client, { time }) => {
      await prismaOn(client).apiToken.updateMany({
        where: { id: row.id, revokedAt: null },
        data: { revokedAt: time },
      });
      revoked = await prismaOn(client).apiToken.findFirstOrThrow({ where: { id: row.id }, select: tokenFields });
    },
  });
  return serializeToken(revoked ?? row);
}
