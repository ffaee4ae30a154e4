import { type SqlBool, sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import type { DeliveryKind } from "#lib/domain/delivery/delivery-kind.ts";
import type { MetricSeries, RolloutSample, SampledController } from "#lib/domain/delivery/sampling.ts";
import { providerOfKind, sampledKinds } from "#lib/domain/providers.ts";
import type { ClusterConfig } from "#lib/server/config/config-schema.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { clockTime } from "#lib/server/db/database-time.ts";
import { inTransaction } from "#lib/server/db/in-transaction.ts";
import { prepareInsert } from "#lib/server/db/prepare-insert.ts";
import { readRow, readRows, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import { refreshKinds, refreshViews } from "#lib/server/recorder/kinds/refresh-views.ts";
import { writeChanges } from "#lib/server/recorder/store/change-rows.ts";
import { lockJoin } from "#lib/server/recorder/store/view-lock.ts";
import { queryPrometheus } from "./query-prometheus.ts";

/** Looks back over several passes: what one of them missed, the next one finds. */
const lookBackSeconds = 120;
/** A weight that stays the same is stored once in this time. */
const sameWeightMs = 60_000;
/** The metric under which weights are stored. */
const weightMetric = "";
/** In these phases a controller measures. */
const measuredPhases: readonly string[] = ["Progressing", "Paused"];

type SampledCluster = Pick<ClusterConfig, "name" | "controllers">;

/**
 * Reads what the controllers' own metrics show of rollouts that are under way, at the clusters whose config names a
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
  const counts = await Promise.all(
    clusters.map(async ({ name, controllers: { prometheus } }) => {
      if (prometheus === undefined) return 0;
      let count = 0;
      try {
        for (const { kind, sampling } of sampledKinds) {
          const series = await queryPrometheus({
            prometheus,
            names: sampling.series,
            seconds: lookBackSeconds,
            signal,
          });
          const controller = series.length === 0 ? undefined : sampling.readController(series);
          count += await inTransaction(pool, (tx) => store(tx, { cluster: name, kind, series, controller }));
        }
      } catch (error) {
        onError(error, name);
      }
      return count;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
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
  const { rows, moved, measured } = await listNew(tx, { cluster, kind, series });
  const written = await insertSamples(tx, rows);
  const isNew = new Set(written.map(({ rollout_id }) => rollout_id));
  await makeRunsDue(
    tx,
    measured.filter((id) => isNew.has(id)),
  );
  const changes = isOther ? await refreshKinds(tx, { cluster, kinds: [kind] }) : await refreshViews(tx, moved);
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

type SampleRow = { rollout_id: string; metric: string; at: string; value: number };

const insertSamples = prepareInsert({
  table: "rollout_sample",
  columns: { rollout_id: "uuid", metric: "text", at: "timestamptz", value: "float8" },
  conflict: { key: ["rollout_id", "metric", "at"] },
  returning: ["rollout_id"],
});

/** Lists the samples to store. `moved`: rollouts whose weight became another one; `measured`: those with values. */
async function listNew(
  tx: PoolClient,
  { cluster, kind, series }: Pick<Sampled, "cluster" | "kind" | "series">,
): Promise<{ rows: SampleRow[]; moved: string[]; measured: string[] }> {
  const rollouts = await readRows(
    tx,
    tables
      .selectFrom("rollout")
      .select(["id", "object", "phase"])
      .where("cluster", "=", cluster)
      .where("kind", "=", kind)
      .where("presence", "=", "live")
      .where("phase", "<>", "Healthy")
      .orderBy("id"),
  );
  const weights = await readLastWeights(
    tx,
    rollouts.map(({ id }) => id),
  );
  const found: { rows: SampleRow[]; moved: string[]; measured: string[] } = { rows: [], moved: [], measured: [] };
  for (const { id, object, phase } of rollouts) {
    const parsed = providerOfKind(kind).parse(object);
    const samples = parsed.ok ? (parsed.value.readSamples?.(series) ?? []) : [];
    const last = weights.get(id);
    const own = thinWeights(
      samples.filter(({ metric }) => metric === null),
      last,
    );
    if (own.some(({ value }) => value !== last?.value)) found.moved.push(id);
    const values = measuredPhases.includes(phase) ? samples.filter(({ metric }) => metric !== null) : [];
    if (values.length > 0) found.measured.push(id);
    for (const { metric, at, value } of [...own, ...values])
      found.rows.push({ rollout_id: id, metric: metric ?? weightMetric, at, value });
  }
  return found;
}

type Weight = { at: string; value: number };

/** Leaves out what is stored already, and what says nothing new. */
function thinWeights(points: readonly RolloutSample[], last: Weight | undefined): RolloutSample[] {
  const kept: RolloutSample[] = [];
  let before = last;
  for (const point of points) {
    const sinceMs = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(point.at) - Date.parse(before.at);
    if (sinceMs <= 0 || (point.value === before?.value && sinceMs < sameWeightMs)) continue;
    kept.push(point);
    before = point;
  }
  return kept;
}

async function readLastWeights(tx: PoolClient, ids: readonly string[]): Promise<Map<string, Weight>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows(
    tx,
    tables
      .selectFrom("rollout_sample")
      .distinctOn("rollout_id")
      .select(["rollout_id", "at", "value"])
      .where(({ ref }) => isOneOf(ref("rollout_id"), ids, "uuid"))
      .where("metric", "=", weightMetric)
      .where("at", ">", sql<Date>`${clockTime} - make_interval(secs => ${2 * lookBackSeconds})`)
      .orderBy("rollout_id")
      .orderBy("at", "desc"),
  );
  return new Map(rows.map(({ rollout_id, at, value }) => [rollout_id, { at: at.toISOString(), value }]));
}

async function makeRunsDue(tx: PoolClient, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await write(
    tx,
    tables
      .updateTable("rollout")
      .set({ runs_due: true })
      .where(({ ref }) => isOneOf(ref("id"), ids, "uuid"))
      .where(({ ref }) => sql<SqlBool>`NOT ${ref("runs_due")}`),
  );
}
