import type { ApiToken } from "#lib/contract/system.ts";
import { isAdmin as administers } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { serializeToken, type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";

/** API tokens, newest first: one's own, or everybody's for an admin. */
export async function listTokens({ ctx }: { ctx: ServiceContext }): Promise<{ items: ApiToken[]; nextCursor: null }> {
  const isAdmin = administers(ctx.actor.rights);
  const { rows } = await ctx.runtime.pool.query<TokenRow>(
    `SELECT ${tokenColumns} FROM api_token t JOIN user_account u ON u.id = t.owner_id
     WHERE $1 OR t.owner_id = $2 ORDER BY t.created_at DESC, t.id LIMIT 1000`,
    [isAdmin, ctx.actor.userId],
  );
  return { items: rows.map(serializeToken), nextCursor: null };
}
