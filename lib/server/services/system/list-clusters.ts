import type { Cluster, SourceState } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { isConfigured, readSources, type SourceRow } from "#lib/server/services/system/source-freshness.ts";

/** From bad to good: a cluster is as well known as the worst of its sources. `absent` kinds are no fault. */
const worstFirst: readonly SourceState[] = ["error", "denied", "suspect", "stale", "syncing", "live", "absent"];

/**
 * The configured clusters, with the freshness of their sources taken together; after them those that the config names
 * no more, as far as anything was recorded of them.
 */
export async function listClusters({ ctx }: { ctx: ServiceContext }): Promise<{ items: Cluster[]; nextCursor: null }> {
  const { runtime } = ctx;
  const sources = await readSources(runtime);
  const { rows } = await runtime.pool.query<{ cluster: string; count: number }>(
    "SELECT cluster, count(*)::int AS count FROM rollout WHERE presence IN ('live', 'absent') GROUP BY cluster",
  );
  const counts = new Map(rows.map((row) => [row.cluster, row.count]));
  const { clusters } = runtime.config().config;
  const configured = clusters.map((cluster): Cluster => {
    const own = sources.filter((source) => source.cluster === cluster.name && isConfigured(source, clusters));
    return {
      name: cluster.name,
      access: cluster.access,
      server: runtime.cluster(cluster.name)?.server ?? "",
      ...summarise(own),
      rollouts: counts.get(cluster.name) ?? 0,
      configured: true,
    };
  });
  const names = new Set(clusters.map(({ name }) => name));
  const removed = [...new Set(sources.map(({ cluster }) => cluster))].filter((name) => !names.has(name));
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
