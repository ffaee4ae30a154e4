import type { ApiToken } from "#lib/contract/system.ts";

/** Needs `api_token t JOIN user_account u`. The hash never leaves the database. */
export const tokenColumns = `t.id, t.name, t.role, t.owner_id, u.name AS owner, t.username, t.groups, t.restricted, t.created_at,
  t.expires_at, t.last_used_at, t.revoked_at`;

export type TokenRow = {
  id: string;
  name: string;
  role: ApiToken["role"];
  owner_id: string;
  owner: string;
  username: string;
  groups: string[] | null;
  restricted: boolean;
  created_at: Date;
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
};

export function serializeToken(row: TokenRow): ApiToken {
  return {
    id: row.id,
    name: row.name,
    role: row.role,
    owner: row.owner,
    actsAs: { username: row.username, groups: row.groups ?? [] },
    restricted: row.restricted,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  };
}
