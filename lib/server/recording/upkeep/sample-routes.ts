import type { Pool } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { MetricPoint, TrafficRoute } from "#lib/domain/delivery/sampling.ts";
import type { ClusterReader } from "#lib/domain/kube/cluster-reader.ts";
import { providerOfKind, sampledKinds } from "#lib/domain/providers.ts";
import type { ClusterClient } from "#lib/server/clusters/kubernetes/cluster-client-types.ts";
import { readerOf } from "#lib/server/clusters/object-api.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { refreshViews } from "#lib/server/recording/kinds/refresh-views.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { countOver, insertSamples, readActive, readLastWeights, thinWeights } from "./sample-rows.ts";

/** Requests to one cluster at a time. */
const atOnce = 8;

type Routed = { id: string; namespace: string; route: TrafficRoute };
type ReadWeight = { id: string; point: MetricPoint };

/**
 * Reads from each cluster, as Gatehouse itself, the objects that route the traffic of rollouts under way. Resolves with
 * the number of new weights. A cluster that fails stops no other: `onError` gets its error, and `onRefused` each
 * resource that may not be read. If the object or its weight is missing, the weight stays unknown.
 */
export async function sampleRoutes({
  pool,
  clusters,
  clusterFor,
  now,
  signal,
  onRefused,
  onError,
}: {
  pool: Pool;
  clusters: readonly { name: string }[];
  clusterFor(cluster: string): ClusterClient | undefined;
  now: () => Date;
  signal: AbortSignal;
  onRefused: (refused: { cluster: string; resource: string; message: string }) => void;
  onError: (error: unknown, cluster: string) => void;
}): Promise<number> {
  return countOver(clusters, onError, async ({ name: cluster }) => {
    const client = clusterFor(cluster);
    if (client === undefined) return 0;
    const reader = readerOf({ client, as: undefined });
    let count = 0;
    for (const { kind } of sampledKinds) {
      const routed = await listRouted(pool, { cluster, kind });
      const read = await readWeights(routed, {
        ...{ reader, now, signal },
        onRefused: (resource, message) => onRefused({ cluster, resource, message }),
      });
      count += await storeWeights(pool, { cluster, read });
    }
    return count;
  });
}

async function listRouted(pool: Pool, { cluster, kind }: { cluster: string; kind: DeliveryKind }): Promise<Routed[]> {
  const rows = await readActive(pool, { cluster, kind });
  if (rows.length === 0) return [];
  const controller = await prismaOn(pool).sampledController.findFirst({
    where: { cluster, kind },
    select: { defaultRouter: true },
  });
  return rows.flatMap(({ id, namespace, object }) => {
    const parsed = providerOfKind(kind).parse(object);
    const route = parsed.ok ? parsed.value.findTrafficRoute?.(controller?.defaultRouter ?? undefined) : undefined;
    return route === undefined ? [] : [{ id, namespace, route }];
  });
}

type Reading = {
  reader: ClusterReader;
  now: () => Date;
  signal: AbortSignal;
  onRefused: (resource: string, message: string) => void;
};

/** Reads the weights. Stops at the first that the cluster does not answer: each of the others would wait as long. */
async function readWeights(
  routed: readonly Routed[],
  { reader, now, signal, onRefused }: Reading,
): Promise<ReadWeight[]> {
  const found: ReadWeight[] = [];
  const waiting = routed.values();
  let silence: string | undefined;
  async function work(): Promise<void> {
    for (const { id, namespace, route } of waiting) {
      if (signal.aborted || silence !== undefined) return;
      const at = now().toISOString();
      const fetched = await reader.get({ resource: route.resource, namespace, name: route.name });
      if (fetched.kind === "unreachable") silence = fetched.message;
      if (fetched.kind === "refused") onRefused(`${route.resource.name}.${route.resource.group}`, fetched.message);
      const value = fetched.kind === "found" ? route.readWeight(fetched.object) : undefined;
      if (value !== undefined) found.push({ id, point: { at, value } });
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  if (silence !== undefined && found.length === 0) throw new Error(silence);
  return found;
}

async function storeWeights(pool: Pool, { cluster, read }: { cluster: string; read: readonly ReadWeight[] }) {
  if (read.length === 0) return 0;
  return inTransaction(pool, async (tx) => {
    await lockJoin(tx, "rollout-view", cluster);
    const last = await readLastWeights(tx, { ids: read.map(({ id }) => id), what: "route" });
    const fresh = read.filter(({ id, point }) => thinWeights([point], last.get(id)).length > 0);
    const rows = fresh.map(({ id, point }) => ({ rollout_id: id, what: "route", metric: "", ...point }));
    await insertSamples(tx, rows);
    const changes = await refreshViews(
      tx,
      fresh.map(({ id }) => id),
    );
    await writeChanges(tx, changes);
    return rows.length;
  });
}
