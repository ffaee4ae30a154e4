import type { Cluster, SourceState } from "#lib/contract/system.ts";
import type { ServiceContext } from "#lib/server/services/service-context.ts";
import { readSources } from "#lib/server/services/system/source-freshness.ts";

/** From bad to good: a cluster is as well known as the worst of its sources. `absent` kinds are no fault. */
const worstFirst: readonly SourceState[] = ["error", "denied", "suspect", "stale", "syncing", "live", "absent"];

/** The configured clusters, with the freshness of their sources taken together. */
export async function listClusters({ ctx }: { ctx: ServiceContext }): Promise<{ items: Cluster[]; nextCursor: null }> {
  const { runtime } = ctx;
  const sources = await readSources(runtime);
  const { rows } = await runtime.pool.query<{ cluster: string; count: number }>(
    "SELECT cluster, count(*)::int AS count FROM rollout WHERE presence IN ('live', 'absent') GROUP BY cluster",
  );
  const counts = new Map(rows.map((row) => [row.cluster, row.count]));
  const items = runtime.config().config.clusters.map((cluster): Cluster => {
    const own = sources.filter((source) => source.cluster === cluster.name);
    const contacts = own.filter((source) => source.state !== "absent").map((source) => source.last_contact);
    const known = contacts.filter((contact) => contact !== null).map((contact) => contact.getTime());
    const hasContact = known.length > 0 && known.length === contacts.length;
    return {
      name: cluster.name,
      access: cluster.access,
      server: runtime.cluster(cluster.name)?.server ?? "",
      state: worstFirst.find((state) => own.some((source) => source.state === state)) ?? "syncing",
      lastContact: hasContact ? new Date(Math.min(...known)).toISOString() : null,
      rollouts: counts.get(cluster.name) ?? 0,
    };
  });
  return { items, nextCursor: null };
}
