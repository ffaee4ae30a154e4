import { sql } from "kysely";
import type { Role } from "#lib/contract/common.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { type TokenRow, tokenColumns } from "#lib/server/people/tokens/token-row.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

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
  const row = await readRow(
    connection,
    tables
      .insertInto("api_token")
      .values({
        id,
        name,
        role,
        owner_id: ownerId,
        username,
        groups: [...groups],
        restricted,
        token_hash: hashToken(secret),
        expires_at: sql<Date | null>`now() + make_interval(days => ${expiresInDays ?? null}::int)`,
      })
      .returning(tokenColumns),
  );
  if (row === undefined) throw new Error("the new token was not returned");
  return row;
}
