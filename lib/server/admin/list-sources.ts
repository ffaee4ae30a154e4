import type { Cluster, Source, SourceState } from "#lib/contract/system.ts";
import { type Rights, readsAllOf } from "#lib/domain/policy/rights.ts";
import { hideAddresses } from "#lib/domain/storable/redact-text.ts";
import { countHeldObjects } from "#lib/server/admin/held-objects.ts";
import { isConfigured, serializeSource } from "#lib/server/clusters/sources/serialize-source.ts";
import { readSources, type SourceRow } from "#lib/server/clusters/sources/source-freshness.ts";
import { isReadable, seesCluster } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutPlace } from "#lib/server/records/rollout-row.ts";

/** Lists every source with its freshness. There are few: one page contains them all. */
export async function listSources({ ctx }: { ctx: ServiceContext }): Promise<{ items: Source[]; nextCursor: null }> {
  const { runtime, actor } = ctx;
  const { clusters } = runtime.config().config;
  const visible = (await readSources(runtime)).filter(({ cluster }) => seesCluster(actor.rights, cluster));
  const held = visible.some((row) => row.hold_id !== null) ? await countHeldObjects(ctx) : new Map<string, number>();
  const items = visible.map((row) =>
    withinScope({ source: serializeSource(row, clusters), rights: actor.rights, held: held.get(row.id) ?? 0 }),
  );
  return { items, nextCursor: null };
}

/**
 * Limits a source to the parts that the person may see. Without the right to read all that it watches, they see how
 * fresh it is, but not how many objects it has or where. `held` counts the held objects that the person may read.
 */
export function withinScope({ source, rights, held }: { source: Source; rights: Rights; held: number }): Source {
  if (readsAllOf(rights, source)) return source;
  return {
    ...source,
    objects: null,
    lastError: source.lastError === null ? null : hideAddresses(source.lastError),
    hold: source.hold === null ? null : { ...source.hold, count: held },
  };
}

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
