import pg from "pg";
import type { HookPurpose } from "#lib/contract/hook.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { hashHookSecret } from "./hook-secret.ts";

/** Creates a credential of the demo's own controller or API server, for all namespaces. Called again, it leaves it as it is. */
export async function ensureDemoCredential({
  databaseUrl,
  id,
  secret,
  cluster,
  purpose,
}: {
  databaseUrl: string;
  id: string;
  secret: string;
  cluster: string;
  purpose: HookPurpose;
}): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 4000 });
  client.on("error", () => {});
  await client.connect();
  try {
    const credential = { id, name: "demo", cluster, purpose, namespaces: ["*"], secret_hash: hashHookSecret(secret) };
    await write(
      client,
      tables
        .insertInto("hook_credential")
        .values({ ...credential, created_by: "gatehouse demo" })
        .onConflict((conflict) => conflict.column("id").doNothing()),
    );
  } finally {
    await client.end();
  }
}
