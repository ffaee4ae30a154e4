import { z } from "zod";
import type { ApiToken } from "#lib/contract/system.ts";
import { hasRole } from "#lib/server/auth/derive-role.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";
import { serializeToken, type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";

/** Revokes one's own token, or anybody's for an admin; again is no error. Throws `not_found`, for others' tokens too. */
export async function revokeToken({ ctx, input }: { ctx: ServiceContext; input: { id: string } }): Promise<ApiToken> {
  const isAdmin = hasRole(ctx.actor.role, "admin");
  const { rows } = z.uuid().safeParse(input.id).success
    ? await ctx.runtime.pool.query<TokenRow>(
        `WITH t AS (
           UPDATE api_token SET revoked_at = COALESCE(revoked_at, now())
           WHERE id = $1 AND ($2 OR owner_id = $3) RETURNING *
         ) SELECT ${tokenColumns} FROM t JOIN user_account u ON u.id = t.owner_id`,
        [input.id, isAdmin, ctx.actor.userId],
      )
    : { rows: [] };
  const [row] = rows;
  if (row === undefined) throw new ServiceError("not_found", `There is no token ${input.id}.`);
  return serializeToken(row);
}
