import { randomUUID } from "node:crypto";
import pg from "pg";
import { demoGroupsOf, demoIssuer } from "#demo/accounts.ts";
import type { Role } from "#lib/contract/common.ts";
import type { HookPurpose } from "#lib/contract/hook.ts";
import { ensureAccount } from "#lib/server/people/auth/start-session.ts";
import { hashToken } from "#lib/server/people/auth/token-secret.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { hashHookSecret } from "#lib/server/webhooks/hook-secret.ts";

type DemoRows = {
  accounts: Record<Role, { username: string }>;
  /** The tokens themselves, `ght_...`. */
  tokens: Record<Role, string>;
  /** Of the demo's own controller and API server. */
  credentials: readonly { id: string; secret: string; purpose: HookPurpose }[];
};

/**
 * Creates the demo's users, their API tokens, and the hook credentials of its cluster if they are missing; safe to repeat
 * at each start. `databaseUrl` is the owner's connection.
 */
export async function ensureDemoRows(databaseUrl: string, { accounts, tokens, credentials }: DemoRows): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 4000 });
  client.on("error", () => {});
  await client.connect();
  try {
    for (const role of ["viewer", "operator", "admin"] as const) {
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
    for (const { id, secret, purpose } of credentials)
      await write(
        client,
        tables
          .insertInto("hook_credential")
          .values({
            ...{ id, name: "demo", cluster: "demo", purpose, namespaces: ["*"] },
            ...{ secret_hash: hashHookSecret(secret), created_by: "gatehouse demo" },
          })
          .onConflict((conflict) => conflict.column("id").doNothing()),
      );
  } finally {
    await client.end();
  }
}
