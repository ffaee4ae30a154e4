import type { ClientBase } from "pg";
import type { Role } from "#lib/contract/common.ts";
import { hashToken } from "#lib/server/auth/token-secret.ts";
import { type TokenRow, tokenColumns } from "#lib/server/services/tokens/token-row.ts";

export type NewToken = {
  id: string;
  /** Only its hash is stored. */
  secret: string;
  name: string;
  role: Role;
  ownerId: string | undefined;
  username: string;
  groups: readonly string[];
  /** It has only the rights of bindings that name it. */
  restricted: boolean;
  /** If undefined, it does not expire. */
  expiresInDays: number | undefined;
};

/** Stores a token inside the transaction that writes its audit entry. */
export async function insertToken(client: ClientBase, token: NewToken): Promise<TokenRow> {
  const { rows } = await client.query<TokenRow>(
    `WITH t AS (
       INSERT INTO api_token (id, name, role, owner_id, username, groups, token_hash, expires_at, restricted)
       VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(days => $8::int), $9) RETURNING *
     ) SELECT ${tokenColumns} FROM t JOIN user_account u ON u.id = t.owner_id`,
    [
      token.id,
      token.name,
      token.role,
      token.ownerId,
      token.username,
      [...token.groups],
      hashToken(token.secret),
      token.expiresInDays ?? null,
      token.restricted,
    ],
  );
  const [row] = rows;
  if (row === undefined) throw new Error("the new token was not returned");
  return row;
}
