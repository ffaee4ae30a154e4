import type { Pool } from "pg";
import type { Logger } from "pino";
import { findUnlimited } from "#lib/server/acting/permission/check-cluster-rights.ts";
import { formatRight } from "#lib/server/acting/permission/needed-rights.ts";
import { readOwnName } from "#lib/server/acting/permission/own-name.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** An account that has not been seen for longer is no longer Gatehouse's. */
const keptHours = 24;
const everyMs = 5 * 60_000;

const selectAccounts = tables
  .selectFrom("cluster_account")
  .select(["cluster", "username", "unlimited", "unlimited_since"])
  .where("checked_at", ">", secondsBefore(clockTime, keptHours * 3600))
  .orderBy("cluster")
  .orderBy("username");
export type OwnAccount = RowOf<typeof selectAccounts>;

/** Reads Gatehouse's own accounts at the clusters, as web processes found them. */
export async function readOwnAccounts(connection: Connection, clusters: readonly string[]): Promise<OwnAccount[]> {
  return readRows(
    connection,
    selectAccounts.where(({ ref }) => isOneOf(ref("cluster"), clusters)),
  );
}

/**
 * Stores, at each load of the config and every five minutes, which account this process has at each cluster, and whether
 * that account can be anybody there. A cluster that does not answer keeps what was found last. Returns how to stop.
 */
export function reportOwnAccounts({
  store,
  clusterFor,
  pool,
  log,
}: {
  store: { current(): LoadedConfig; subscribe(listener: () => void): () => void };
  clusterFor: (cluster: string) => ClusterClient | undefined;
  pool: Pool;
  log: Logger;
}): () => Promise<void> {
  let running: Promise<unknown> | undefined;
  const report = (): void => {
    const clients = store.current().config.clusters.flatMap(({ name }) => clusterFor(name) ?? []);
    running ??= Promise.all(
      clients.map((client) =>
        reportOwnAccount({ client, pool }).catch((error: unknown) =>
          log.debug({ err: error, cluster: client.name }, "our own account was not looked at"),
        ),
      ),
    ).finally(() => {
      running = undefined;
    });
  };
  const unsubscribe = store.subscribe(report);
  const timer = setInterval(report, everyMs).unref();
  return async () => {
    unsubscribe();
    clearInterval(timer);
    await running;
  };
}

async function reportOwnAccount({ client, pool }: { client: ClusterClient; pool: Pool }): Promise<void> {
  const username = await readOwnName({ client, waitMs: 5000 });
  if (username === undefined) return;
  const right = await findUnlimited(client);
  const unlimited = right === undefined ? null : formatRight(right);
  const found = { unlimited, checked_at: clockTime };
  await write(
    pool,
    tables
      .insertInto("cluster_account")
      .values({ cluster: client.name, username, ...found, unlimited_since: unlimited === null ? null : clockTime })
      .onConflict((conflict) =>
        conflict.columns(["cluster", "username"]).doUpdateSet(({ fn }) => ({
          ...found,
          unlimited_since: unlimited === null ? null : fn.coalesce("cluster_account.unlimited_since", clockTime),
        })),
      ),
  );
}
