import { z } from "zod";
import type { ListQuery } from "#lib/contract/common.ts";
import type { ApiToken } from "#lib/contract/system.ts";
import { isAdmin } from "#lib/domain/policy/rights.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import { serializeToken, type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists API tokens, newest first: one's own, or everybody's for an admin. */
export async function listTokens({
  ctx: { actor, runtime },
  input,
}: {
  ctx: ServiceContext;
  input: ListQuery;
}): Promise<{ items: ApiToken[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.where(isAdmin(actor.rights) ? undefined : actor.userId, (value) => `t.owner_id = ${value}`);
  sql.where(after?.[0], (at) => `(t.created_at, t.id) < (${at}::timestamptz, ${sql.bind(after?.[1])}::uuid)`);
  const { rows } = await runtime.pool.query<TokenRow & { created_key: string }>(
    `SELECT ${tokenColumns}, t.created_at::text AS created_key
     FROM api_token t JOIN user_account u ON u.id = t.owner_id
     WHERE ${sql.text()} ORDER BY t.created_at DESC, t.id DESC LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.created_key, row.id], toItem: serializeToken });
}
