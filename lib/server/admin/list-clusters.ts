import type { Cluster, SourceState } from "#lib/contract/system.ts";
import { readsAllOf } from "#lib/domain/policy/rights.ts";
import { isConfigured } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { isReadable, seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

/** From bad to good: a cluster is rated by the worst of its sources. `absent` kinds do not count against it. */
const worstFirst: readonly SourceState[] = ["error", "denied", "suspect", "stale", "syncing", "live", "absent"];

/**
 * Lists the configured clusters that the actor's rights cover, with the combined freshness of their sources. Recorded
 * clusters that the config no longer names follow.
 */
export async function listClusters({ ctx }: { ctx: ServiceContext }): Promise<{ items: Cluster[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const sources = await readSources(runtime);
  const rows = await readRows(
    runtime.pool,
    tables
      .selectFrom("rollout as r")
      .select(["r.cluster", countRows().as("count")])
      .where("r.presence", "in", ["live", "absent"])
      .where(allOf([isReadable(actor.rights, rolloutPlace)]))
      .groupBy("r.cluster"),
  );
  const counts = new Map(rows.map((row) => [row.cluster, row.count]));
  const { clusters } = runtime.config().config;
  const visible = clusters.filter(({ name }) => seesCluster(actor.rights, name));
  const configured = visible.map((cluster): Cluster => {
    const own = sources.filter((source) => source.cluster === cluster.name && isConfigured(source, clusters));
    return {
      name: cluster.name,
      access: cluster.access,
      server: readsAllOf(actor.rights, { cluster: cluster.name, namespace: null })
        ? (runtime.cluster(cluster.name)?.server ?? "")
        : "",
      ...summarise(own),
      rollouts: counts.get(cluster.name) ?? 0,
      configured: true,
    };
  });
  const names = new Set(clusters.map(({ name }) => name));
  const recorded = [...new Set(sources.map(({ cluster }) => cluster))];
  const removed = recorded.filter((name) => !names.has(name) && seesCluster(actor.rights, name));
  const left = removed.map((name): Cluster => {
    const own = summarise(sources.filter(({ cluster }) => cluster === name));
    return { name, access: "read", server: "", ...own, rollouts: counts.get(name) ?? 0, configured: false };
  });
  return { items: [...configured, ...left], nextCursor: null };
}

function summarise(own: readonly SourceRow[]): Pick<Cluster, "state" | "lastContact"> {
  const contacts = own.filter((source) => source.state !== "absent").map((source) => source.last_contact);
  const known = contacts.filter((contact) => contact !== null).map((contact) => contact.getTime());
  const hasContact = known.length > 0 && known.length === contacts.length;
  return {
    state: worstFirst.find((state) => own.some((source) => source.state === state)) ?? "syncing",
    lastContact: hasContact ? new Date(Math.min(...known)).toISOString() : null,
  };
}
