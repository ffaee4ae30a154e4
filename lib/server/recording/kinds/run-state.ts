import { sql } from "kysely";
import type { PoolClient } from "pg";
import type { KnownMeasurement } from "#lib/domain/delivery/sequence-measurements.ts";
import { isOlderVersion } from "#lib/domain/kube/resource-version.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { storedContentOf } from "./known-measurements.ts";

/** `superseded` if no measurement of its number counts: the controller went back behind it, and may reach it again. */
type NewestMeasurement = KnownMeasurement & { superseded: boolean };

export type MetricState = {
  /** The highest number that is stored, or known to be lost. */
  lastSeq: number;
  /** The newest finished measurement in the database, used to cross-check its start and content. */
  newest: NewestMeasurement | undefined;
  inconsistent: boolean;
};

/** The writer's memory of an analysis run between two seen versions. */
export type RunState = {
  rolloutId: string;
  resourceVersion: string;
  presence: string;
  isCompleted: boolean;
  isTerminated: boolean;
  metrics: ReadonlyMap<string, MetricState>;
  /** Loaded from the database and not yet seen by this process. */
  isLoaded: boolean;
};

const selectRuns = tables
  .selectFrom("analysis_run")
  .select(["uid", "rollout_id", "resource_version", "presence", "completed_at", "terminated"]);

const selectMetrics = tables
  .selectFrom("metric")
  .innerJoin("analysis_run as run", (join) =>
    join.onRef("run.rollout_id", "=", "metric.rollout_id").onRef("run.uid", "=", "metric.run_uid"),
  )
  .select(["metric.id", "metric.run_uid", "metric.name", "metric.inconsistent"])
  .select((eb) => [
    eb
      .selectFrom("measurement_gap as gap")
      .select(({ fn, ref }) => fn.max(sql<number>`${ref("gap.after_seq")}::float8 + ${ref("gap.count")}`).as("lost"))
      .whereRef("gap.metric_id", "=", "metric.id")
      .where("gap.open", "=", false)
      .as("last_lost"),
    sql<number>`CASE WHEN ${eb.ref("run.measurements_expired")}
      THEN ${eb.ref("metric.count")}::float8 + ${eb.ref("metric.error")} ELSE 0 END`.as("last_expired"),
  ]);
type MetricRow = RowOf<typeof selectMetrics>;

/** The newest of each metric. */
const selectNewest = tables
  .selectFrom("recorded_measurement as m")
  .distinctOn("m.metric_id")
  .select(["m.metric_id", "m.seq", "m.started_at"])
  .select(["m.finished_at", "m.phase", "m.value", "m.parsed_kind", "m.parsed", "m.message", "m.superseded"])
  .where("m.finished_at", "is not", null)
  .orderBy("m.metric_id")
  .orderBy("m.seq", "desc")
  .orderBy("m.superseded");
type NewestRow = RowOf<typeof selectNewest>;

/** Reads the stored state of these runs. Runs that are not stored yet are left out. */
export async function loadRunStates(tx: PoolClient, uids: readonly string[]): Promise<Map<string, RunState>> {
  if (uids.length === 0) return new Map();
  const runs = await readRows(
    tx,
    selectRuns.where(({ ref }) => isOneOf(ref("uid"), uids)),
  );
  if (runs.length === 0) return new Map();
  const metrics = await readRows(
    tx,
    selectMetrics.where(({ ref }) => isOneOf(ref("run.uid"), uids)),
  );
  const newest = await readRows(
    tx,
    selectNewest.where(({ ref }) =>
      isOneOf(
        ref("m.metric_id"),
        metrics.map(({ id }) => id),
        "int8",
      ),
    ),
  );
  const newestOf = new Map(newest.map((row) => [row.metric_id, row]));
  const metricsOf = Map.groupBy(metrics, (row) => row.run_uid);
  return new Map(
    runs.map((row) => [
      row.uid,
      {
        rolloutId: row.rollout_id,
        resourceVersion: row.resource_version,
        presence: row.presence,
        isCompleted: row.completed_at !== null,
        isTerminated: row.terminated,
        metrics: new Map(
          (metricsOf.get(row.uid) ?? []).map((metric) => {
            return [metric.name, toMetricState(metric, newestOf.get(metric.id))];
          }),
        ),
        isLoaded: true,
      },
    ]),
  );
}

function toMetricState(metric: MetricRow, newest: NewestRow | undefined): MetricState {
  return {
    // Measurements that were deleted because of their age are neither missing nor recorded again.
    lastSeq: Math.max(newest?.seq ?? 0, metric.last_lost ?? 0, metric.last_expired),
    newest:
      newest === undefined
        ? undefined
        : {
            seq: newest.seq,
            startedAt: newest.started_at.toISOString(),
            content: storedContentOf(newest),
            superseded: newest.superseded,
          },
    inconsistent: metric.inconsistent,
  };
}

/** The writer's memory of the runs in the cluster. */
type RunMemory = {
  /** Returns undefined for a run that must be read from the database, if it is stored at all. */
  find(uid: string): RunState | undefined;
  /** Returns whether this version of an ended run is known to bring nothing new, even if its state is not in memory. */
  isKnown(entry: ObjectEntry): boolean;
  keep(uid: string, state: RunState): void;
  forget(uid: string): void;
  clear(): void;
};

/**
 * Creates the memory. Most runs of a large cluster have ended and wait for their deletion. Except for the latest
 * `maxEnded`, only the version of an ended run is kept, which suffices to skip entries that a list repeats. If such a
 * run changes after all, its state is read again.
 */
export function createRunMemory({ maxEnded = 1000 }: { maxEnded?: number } = {}): RunMemory {
  const states = new Map<string, RunState>();
  /** Keys of `states` that have ended, oldest first. */
  const ended = new Set<string>();
  const versions = new Map<string, string>();

  function forget(uid: string): void {
    states.delete(uid);
    ended.delete(uid);
    versions.delete(uid);
  }

  return {
    find: (uid) => states.get(uid),
    isKnown({ uid, op, resourceVersion }) {
      const version = versions.get(uid);
      if (version === undefined) return false;
      return (op === "upsert" && resourceVersion === version) || isOlderVersion(resourceVersion, version);
    },
    keep(uid, state) {
      forget(uid);
      if (state.presence !== "live") return;
      states.set(uid, state);
      if (!state.isCompleted) return;
      ended.add(uid);
      const [oldest] = ended;
      if (ended.size <= maxEnded || oldest === undefined) return;
      versions.set(oldest, states.get(oldest)?.resourceVersion ?? "");
      states.delete(oldest);
      ended.delete(oldest);
    },
    forget,
    clear() {
      states.clear();
      ended.clear();
      versions.clear();
    },
  };
}
