import { z } from "zod";
import type { ApiToken } from "#lib/contract/system.ts";
import { isAdmin as administers } from "#lib/domain/policy/rights.ts";
import { auditActorOf } from "#lib/server/actor/audit-actor.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { serializeToken, type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";

/**
 * Revokes one's own token, or anybody's for an admin; repeating it is allowed. Throws `not_found`, for others' tokens
 * too.
 */
export async function revokeToken({ ctx, input }: { ctx: ServiceContext; input: { id: string } }): Promise<ApiToken> {
  const isAdmin = administers(ctx.actor.rights);
  const missing = new ServiceError("not_found", `There is no token ${input.id}.`);
  if (!z.uuid().safeParse(input.id).success) throw missing;
  const { pool } = ctx.runtime;
  const known = await pool.query<TokenRow>(
    `SELECT ${tokenColumns} FROM api_token t JOIN user_account u ON u.id = t.owner_id
     WHERE t.id = $1 AND ($2 OR t.owner_id = $3)`,
    [input.id, isAdmin, ctx.actor.userId],
  );
  const [row] = known.rows;
  if (row === undefined) throw missing;
  if (row.revoked_at !== null) return serializeToken(row);
  let revokedAt: Date | null = null;
  await appendAudit({
    pool,
    entry: {
      actor: auditActorOf(ctx.actor),
      source: "gatehouse",
      code: "token.revoke",
      outcome: "applied",
      detail: { id: row.id, name: row.name, role: row.role, owner: row.owner },
      requestId: ctx.requestId,
    },
    within: async (client) => {
      const { rows } = await client.query<{ revoked_at: Date }>(
        "UPDATE api_token SET revoked_at = COALESCE(revoked_at, now()) WHERE id = $1 RETURNING revoked_at",
        [row.id],
      );
      revokedAt = rows[0]?.revoked_at ?? null;
    },
  });
  return serializeToken({ ...row, revoked_at: revokedAt });
}
