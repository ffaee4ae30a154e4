import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Role } from "#lib/contract/common.ts";
import { hashToken } from "#lib/server/auth/token-secret.ts";
import { demoGroupsOf, demoIssuer } from "#lib/server/config/demo-accounts.ts";

const roles = ["viewer", "operator", "admin"] as const satisfies readonly Role[];

type Options = {
  /** The owner's connection. */
  databaseUrl: string;
  accounts: Record<Role, { username: string }>;
  /** The tokens themselves, `ght_...`. */
  tokens: Record<Role, string>;
};

/** Creates the demo's users and their API tokens if missing; safe to repeat at each start. */
export async function ensureDemoTokens({ databaseUrl, accounts, tokens }: Options): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 4000 });
  client.on("error", () => {});
  await client.connect();
  try {
    for (const role of roles) {
      const { username } = accounts[role];
      const { rows } = await client.query<{ id: string }>(
        `INSERT INTO user_account (id, issuer, subject, name) VALUES ($1, $2, $3, $3)
         ON CONFLICT (issuer, subject) DO UPDATE SET last_seen_at = now() RETURNING id`,
        [randomUUID(), demoIssuer, username],
      );
      await client.query(
        `INSERT INTO api_token (id, name, role, owner_id, username, groups, token_hash)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (token_hash) DO NOTHING`,
        [randomUUID(), `demo ${role}`, role, rows[0]?.id, username, demoGroupsOf(role), hashToken(tokens[role])],
      );
    }
  } finally {
    await client.end();
  }
}
