import { type RawBuilder, sql } from "kysely";
import type { RunKey } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { decodePhase, notes, valueText } from "#lib/server/records/measurement-codes.ts";
import { finiteNumber } from "#lib/server/records/measurement-row.ts";
import type { StoredMetric } from "#lib/server/records/metric-rows.ts";

const valuesPerMetric = 30;
/** Numbers that are looked through first: the newest values are among them, unless many were lost or still run. */
const lookedThrough = 2 * valuesPerMetric;
/** The clocks of a controller and its API server differ by less than this. */
const clockToleranceMs = 24 * 60 * 60 * 1000;

type Run = RunKey & { created_at: Date };

export type NewestValues = {
  run_uid: string;
  metric: string;
  /** Oldest first; null for values that are no finite number. */
  numbers: (number | null)[];
  /** The newest value, as the controller wrote it. */
  last: string | null;
  last_phase: string | null;
  /** The notes that its source attached to it. */
  metadata: Record<string, string> | null;
};

/** Names a metric of a run. */
export const metricKey = (runUid: string, metric: string): string => `${runUid} ${metric}`;

const { ref } = fragment<{ m: "recorded_measurement"; t: "metric" }>();

/**
 * Reads the newest finished values of each metric of these runs, by `metricKey`; metrics without any are absent.
 * PostgreSQL cannot tell a long run from a short one, and would read and sort all of its values, in all partitions. So
 * the first query reads only the last numbers by the controller's count, `reading`, in the partitions since the first
 * run was created. If some of these are missing, the whole metric is read.
 */
export async function readNewestValues(
  { pool }: Pick<Runtime, "pool">,
  runs: readonly Run[],
  reading: Promise<readonly StoredMetric[]>,
): Promise<Map<string, NewestValues>> {
  if (runs.length === 0) return new Map();
  const [near, metrics] = await Promise.all([readRows(pool, selectNear(runs)), reading]);
  const found = new Map(near.map((row) => [metricKey(row.run_uid, row.metric), toValues(row)]));
  const incomplete = metrics.filter(({ run_uid: uid, name, count, error }) => {
    const numbers = found.get(metricKey(uid, name))?.numbers ?? [];
    return numbers.length < Math.min(valuesPerMetric, count + error);
  });
  const whole = incomplete.length === 0 ? [] : await readRows(pool, selectWhole(incomplete));
  for (const row of whole) found.set(metricKey(row.run_uid, row.metric), toValues(row));
  return found;
}

type NewestRow = Omit<NewestValues, "last_phase"> & { last_phase: Column.PhaseCode };

function toValues(row: NewestRow): NewestValues {
  return { ...row, last_phase: decodePhase(row.last_phase) };
}

function selectNear(runs: readonly Run[]): RawBuilder<NewestRow> {
  const ids = sql`${runs.map((run) => run.rollout_id)}::uuid[], ${runs.map((run) => run.uid)}::text[]`;
  const earliest = Math.min(...runs.map((run) => run.created_at.getTime())) - clockToleranceMs;
  return selectNewest({
    metrics: sql`SELECT ${ref("t.id")}, run.uid AS run_uid, ${ref("t.name")} AS metric,
        ${ref("t.count")}::bigint + ${ref("t.error")} - ${sql.lit(lookedThrough)} AS after
      FROM unnest(${ids}) run (rollout_id, uid) JOIN ${tableName("metric")} t
        ON ${ref("t.rollout_id")} = run.rollout_id AND ${ref("t.run_uid")} = run.uid`,
    // One time for all metrics: then partitions from before it are not even planned for.
    only: sql`${ref("m.last_seq")} > own.after AND ${ref("m.seq")} > own.after AND ${ref("m.started_at")} >= ${new Date(earliest)}`,
  });
}

function selectWhole(metrics: readonly StoredMetric[]): RawBuilder<NewestRow> {
  const ids = sql`${metrics.map(({ id }) => id)}::int8[], ${metrics.map((metric) => metric.run_uid)}::text[]`;
  const names = sql`${metrics.map(({ name }) => name)}::text[]`;
  return selectNewest({
    metrics: sql`SELECT * FROM unnest(${ids}, ${names}) given (id, run_uid, metric)`,
    only: sql`true`,
  });
}

/** `metrics`: selects `own`. `only`: which of its measurements `m` may be among the newest. */
function selectNewest({ metrics, only }: { metrics: RawBuilder<unknown>; only: RawBuilder<unknown> }) {
  return sql<NewestRow>`SELECT own.run_uid, own.metric, v.numbers, v.last, v.last_phase, v.metadata
    FROM (${metrics}) own CROSS JOIN LATERAL (
      SELECT json_agg(n.number ORDER BY n.place DESC) AS numbers, (array_agg(n.value) FILTER (WHERE n.place = 1))[1] AS last,
        (array_agg(n.phase) FILTER (WHERE n.place = 1))[1] AS last_phase,
        (array_agg(n.metadata) FILTER (WHERE n.place = 1))[1] AS metadata
      FROM (
        SELECT ${ref("m.seq")}, ${valueText} AS value, ${ref("m.phase")}, ${notes} AS metadata, ${finiteNumber} AS number,
          row_number() OVER (ORDER BY ${ref("m.seq")} DESC, ${ref("m.started_at")} DESC) AS place
        FROM ${tableName("recorded_measurement")} m
        WHERE ${ref("m.metric_id")} = own.id AND ${ref("m.finished_at")} IS NOT NULL AND NOT ${ref("m.superseded")}
          AND ${only}
        ORDER BY ${ref("m.seq")} DESC, ${ref("m.started_at")} DESC LIMIT ${sql.lit(valuesPerMetric)}
      ) n
      HAVING count(*) > 0
    ) v`;
}
