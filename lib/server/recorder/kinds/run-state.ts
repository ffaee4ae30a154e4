import type { PoolClient } from "pg";
import type { KnownMeasurement } from "#lib/domain/delivery/sequence-measurements.ts";
import { type StoredContent, storedContentOf } from "./known-measurements.ts";

/** `superseded` if no measurement of its number counts: the controller went back behind it, and may reach it again. */
type NewestMeasurement = KnownMeasurement & { superseded: boolean };

export type MetricState = {
  /** The highest number that is stored, or known to be lost. */
  lastSeq: number;
  /** The newest finished measurement in the database, used to cross-check its start and content. */
  newest: NewestMeasurement | undefined;
  inconsistent: boolean;
};

/** What the writer remembers of an analysis run between two sights. */
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

type RunRow = {
  uid: string;
  rollout_id: string;
  resource_version: string;
  presence: string;
  completed_at: Date | null;
  terminated: boolean;
};
type MetricRow = {
  run_uid: string;
  name: string;
  inconsistent: boolean;
  last_lost: number | null;
  last_expired: number;
};
type NewestRow = StoredContent & {
  run_uid: string;
  metric: string;
  seq: number;
  started_at: Date;
  superseded: boolean;
};

/** Reads the stored state of these runs. Runs that are not stored yet are left out. */
export async function loadRunStates(tx: PoolClient, uids: readonly string[]): Promise<Map<string, RunState>> {
  if (uids.length === 0) return new Map();
  const runs = await tx.query<RunRow>(
    `SELECT uid, rollout_id, resource_version, presence, completed_at, terminated FROM analysis_run WHERE uid = ANY($1::text[])`,
    [uids],
  );
  if (runs.rows.length === 0) return new Map();
  const metrics = await tx.query<MetricRow>(
    `SELECT metric.run_uid, metric.name, metric.inconsistent,
            (SELECT max(gap.after_seq + gap.count) FROM measurement_gap gap
              WHERE gap.run_uid = metric.run_uid AND gap.metric = metric.name AND NOT gap.open) AS last_lost,
            CASE WHEN run.measurements_expired THEN metric.count + metric.error ELSE 0 END AS last_expired
       FROM metric JOIN analysis_run run ON run.uid = metric.run_uid WHERE metric.run_uid = ANY($1::text[])`,
    [uids],
  );
  // rollout_id leads the key: without it every partition would be scanned.
  const newest = await tx.query<NewestRow>(
    `SELECT DISTINCT ON (measurement.run_uid, metric) measurement.run_uid, metric, seq, measurement.started_at,
              measurement.finished_at, measurement.phase, measurement.value, measurement.message,
              measurement.superseded
       FROM analysis_run run JOIN measurement ON measurement.rollout_id = run.rollout_id AND measurement.run_uid = run.uid
      WHERE run.uid = ANY($1::text[]) AND finished_at IS NOT NULL
      ORDER BY measurement.run_uid, metric, seq DESC, superseded`,
    [uids],
  );
  const newestOf = new Map(newest.rows.map((row) => [`${row.run_uid}\n${row.metric}`, row]));
  const metricsOf = Map.groupBy(metrics.rows, (row) => row.run_uid);
  return new Map(
    runs.rows.map((row) => [
      row.uid,
      {
        rolloutId: row.rollout_id,
        resourceVersion: row.resource_version,
        presence: row.presence,
        isCompleted: row.completed_at !== null,
        isTerminated: row.terminated,
        metrics: new Map(
          (metricsOf.get(row.uid) ?? []).map((metric) => {
            const last = newestOf.get(`${row.uid}\n${metric.name}`);
            return [metric.name, toMetricState(metric, last)];
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
