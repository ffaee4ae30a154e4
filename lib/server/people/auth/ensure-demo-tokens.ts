import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Role } from "#lib/contract/common.ts";
import { ensureAccount } from "#lib/server/people/auth/ensure-account.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { demoGroupsOf, demoIssuer } from "#lib/server/platform/config/demo-accounts.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

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
      const ownerId = await ensureAccount(client, {
        ...{ issuer: demoIssuer, subject: username, name: username },
        changes: { last_seen_at: transactionTime },
      });
      await write(
        client,
        tables
          .insertInto("api_token")
          .values({
            ...{ id: randomUUID(), name: `demo ${role}`, role, owner_id: ownerId, username },
            groups: demoGroupsOf(role),
            token_hash: hashToken(tokens[role]),
          })
          .onConflict((conflict) => conflict.column("token_hash").doNothing()),
      );
    }
  } finally {
    await client.end();
  }
}
