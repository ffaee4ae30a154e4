import type { Pool, PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { MetricSeries, SampledController } from "#lib/domain/delivery/sampling.ts";
import { providerOfKind, sampledKinds } from "#lib/domain/providers.ts";
import type { ClusterConfig } from "#lib/server/platform/config/cluster-schema.ts";
import { clockTime } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { refreshKinds, refreshViews } from "#lib/server/recording/kinds/refresh-views.ts";
import { makeRunsDue } from "#lib/server/recording/kinds/show-reported.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { storableName } from "#lib/server/recording/store/text-fields.ts";
import { lockJoin } from "#lib/server/recording/store/view-lock.ts";
import { queryPrometheus } from "./query-prometheus.ts";
import { countOver, insertSamples, readActive, readLastWeights, type SampleRow, thinWeights } from "./sample-rows.ts";

/** Looks back over several passes: the next one finds samples that one pass missed. */
const lookBackSeconds = 120;
/** In these phases a controller measures. */
const measuredPhases: readonly string[] = ["Progressing", "Paused"];

type SampledCluster = Pick<ClusterConfig, "name" | "controllers">;

/**
 * Reads the controllers' own metrics about rollouts that are under way, at the clusters whose config names a
 * Prometheus: weights, values of measurements, and the controller's version. Resolves with the number of new samples.
 * Several recorders may run this at once.
 */
export async function sampleControllers({
  pool,
  clusters,
  signal,
  onError,
}: {
  pool: Pool;
  clusters: readonly SampledCluster[];
  signal: AbortSignal;
  onError: (error: unknown, cluster: string) => void;
}): Promise<number> {
  return countOver(clusters, onError, async ({ name, controllers: { prometheus } }) => {
    if (prometheus === undefined) return 0;
    let count = 0;
    for (const { kind, sampling } of sampledKinds) {
      const series = await queryPrometheus({ prometheus, names: sampling.series, seconds: lookBackSeconds, signal });
      const controller = series.length === 0 ? undefined : sampling.readController(series);
      count += await inTransaction(pool, (tx) => store(tx, { cluster: name, kind, series, controller }));
    }
    return count;
  });
}

type Sampled = {
  cluster: string;
  kind: DeliveryKind;
  series: readonly MetricSeries[];
  controller: SampledController | undefined;
};

async function store(tx: PoolClient, { cluster, kind, series, controller }: Sampled): Promise<number> {
  if (controller === undefined) return 0;
  await lockJoin(tx, "rollout-view", cluster);
  const isOther = await storeController(tx, { cluster, kind, controller });
  const { rows, weighed, measured } = await listNew(tx, { cluster, kind, series });
  const written = await insertSamples(tx, rows);
  const isNew = new Set(written.map(({ rollout_id }) => rollout_id));
  await makeRunsDue(
    tx,
    measured.filter((id) => isNew.has(id)),
  );
  const changes = isOther ? await refreshKinds(tx, { cluster, kinds: [kind] }) : await refreshViews(tx, weighed);
  await writeChanges(tx, changes);
  return written.length;
}

/** Returns whether the controller was another one, or none was known. */
async function storeController(
  tx: PoolClient,
  { cluster, kind, controller }: { cluster: string; kind: string; controller: SampledController },
): Promise<boolean> {
  const facts = { version: controller.version ?? null, default_router: controller.defaultRouter ?? null };
  const known = await readRow(
    tx,
    tables
      .selectFrom("sampled_controller")
      .select(["version", "default_router"])
      .where("cluster", "=", cluster)
      .where("kind", "=", kind)
      .forUpdate(),
  );
  await write(
    tx,
    tables
      .insertInto("sampled_controller")
      .values({ cluster, kind, ...facts, seen_at: clockTime })
      .onConflict((conflict) => conflict.columns(["cluster", "kind"]).doUpdateSet({ ...facts, seen_at: clockTime })),
  );
  return known?.version !== facts.version || known.default_router !== facts.default_router;
}

/** Lists the samples to store. `weighed`: rollouts with new weights, `measured`: those with values. */
async function listNew(
  tx: PoolClient,
  { cluster, kind, series }: Pick<Sampled, "cluster" | "kind" | "series">,
): Promise<{ rows: SampleRow[]; weighed: string[]; measured: string[] }> {
  const rollouts = await readActive(tx, { cluster, kind });
  const ids = rollouts.map(({ id }) => id);
  const weights = await readLastWeights(tx, { ids, what: "weight" });
  const found: { rows: SampleRow[]; weighed: string[]; measured: string[] } = { rows: [], weighed: [], measured: [] };
  for (const { id, object, phase } of rollouts) {
    const parsed = providerOfKind(kind).parse(object);
    const samples = parsed.ok ? (parsed.value.readSamples?.(series) ?? []) : [];
    const own = thinWeights(
      samples.filter(({ metric }) => metric === null),
      weights.get(id),
    );
    if (own.length > 0) found.weighed.push(id);
    const values = measuredPhases.includes(phase) ? samples.filter(({ metric }) => metric !== null) : [];
    if (values.length > 0) found.measured.push(id);
    const base = { rollout_id: id, metric: "" };
    found.rows.push(...own.map(({ at, value }): SampleRow => ({ ...base, what: "weight", at, value })));
    found.rows.push(
      ...values.map(
        ({ metric, at, value }): SampleRow => ({
          ...base,
          what: "value",
          metric: storableName(metric ?? ""),
          at,
          value,
        }),
      ),
    );
  }
  return found;
}
