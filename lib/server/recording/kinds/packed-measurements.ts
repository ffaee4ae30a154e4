import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { PoolClient } from "pg";
import { isOfRun, isOneOf, type RunKey } from "#lib/server/platform/db/conditions.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import { write } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName, tables } from "#lib/server/platform/db/tables.ts";
import { type MetricName, measurementColumns } from "./run-rows.ts";

const { ref } = fragment<{ m: "measurement" }>();

/** Numbers of a packed row: a page of a long metric unpacks no more than it shows. */
const numbersOfRow = 1000;
const inOrder = sql`ORDER BY ${ref("m.seq")}, ${ref("m.started_at")}`;
const epochOf = (time: "m.started_at" | "m.finished_at") => sql`extract(epoch FROM ${ref(time)})`;
const duration = sql`(${epochOf("m.finished_at")} - ${epochOf("m.started_at")})`;
const isOdd = sql`${ref("m.phase")} LIKE '?%'`;
const letter = sql`left(${ref("m.phase")}, 1)`;

/** Whether all times of a row fit its short form. A time without a fraction or an infinite one has no remainder. */
const isShort = sql`bool_and(${epochOf("m.started_at")} % 1 = 0 AND ${duration} % 1 = 0
    AND ${duration} BETWEEN -30000 AND 30000 OR ${epochOf("m.started_at")} % 1 = 0 AND ${ref("m.finished_at")} IS NULL) OVER part
  AND max(${epochOf("m.started_at")}) OVER part - min(${epochOf("m.started_at")}) OVER part < 2000000000`;

/** Lists a value of each measurement. */
const all = (value: RawBuilder<unknown>) => sql`array_agg(${value} ${inOrder})`;
/** Lists the values if the condition is met by any measurement: all others are as usual, and null. */
const ifAny = (isUnusual: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`CASE WHEN bool_or(${isUnusual}) THEN ${all(value)} END`;
const letters = (each: RawBuilder<unknown>) =>
  sql`CASE WHEN min(${each}) = max(${each}) THEN min(${each}) ELSE string_agg(${each}, '' ${inOrder}) END`;
const texts = (text: "m.message" | "m.metadata") => ifAny(sql`${ref(text)} <> ''`, sql`NULLIF(${ref(text)}, '')`);
const flags = (flag: "m.superseded" | "m.escaped") => ifAny(sql`${ref(flag)}`, sql`${ref(flag)}`);

/** The opposite of the function `unpack_measurements`. */
const packed = {
  metric_id: sql`${ref("m.metric_id")}`,
  started_at: sql`min(${ref("m.started_at")})`,
  first_seq: sql`min(${ref("m.seq")})`,
  last_seq: sql`max(${ref("m.seq")})`,
  phases: letters(letter),
  kinds: letters(sql`${ref("m.parsed_kind")}`),
  starts: sql`CASE WHEN m.is_short THEN ${all(sql`CASE WHEN m.is_short THEN ${epochOf("m.started_at")} - extract(epoch FROM m.since) END::int`)} END`,
  durations: sql`CASE WHEN m.is_short THEN ${all(sql`CASE WHEN m.is_short THEN ${duration} END::smallint`)} END`,
  start_times: sql`CASE WHEN NOT m.is_short THEN ${all(sql`${ref("m.started_at")}`)} END`,
  end_times: sql`CASE WHEN NOT m.is_short THEN ${all(sql`${ref("m.finished_at")}`)} END`,
  parsed: ifAny(sql`${ref("m.parsed")} IS NOT NULL`, sql`${ref("m.parsed")}`),
  seqs: sql`CASE WHEN count(DISTINCT ${ref("m.seq")}) < count(*) OR max(${ref("m.seq")}) - min(${ref("m.seq")}) >= count(*)
    THEN ${all(sql`${ref("m.seq")}`)} END`,
  superseded: flags("m.superseded"),
  escaped: flags("m.escaped"),
  odd_phases: ifAny(isOdd, sql`CASE WHEN ${isOdd} THEN ${ref("m.phase")} END`),
  values: ifAny(sql`${ref("m.value")} IS DISTINCT FROM ''`, sql`${ref("m.value")}`),
  messages: texts("m.message"),
  metadata: texts("m.metadata"),
} as const satisfies Record<keyof Tables["packed_measurement"], RawBuilder<unknown>>;

const columnsOf = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)));

/**
 * Packs all measurements of these metrics, which have no packed ones. One statement: a row is in the packed ones as soon
 * as it is no longer among the others.
 */
export async function packMetrics(tx: PoolClient, metricIds: readonly string[]): Promise<void> {
  if (metricIds.length === 0) return;
  await write(
    tx,
    sql`WITH gone AS (
      DELETE FROM ${tableName("measurement")} m WHERE ${isOneOf(ref("m.metric_id"), metricIds, "int8")} RETURNING ${sql.ref("m")}.*
    )
    INSERT INTO ${tableName("packed_measurement")} (${columnsOf(Object.keys(packed))})
    SELECT ${sql.join(Object.values(packed))} FROM (
      SELECT m.*, ${ref("m.seq")} / ${sql.lit(numbersOfRow)} AS place, ${isShort} AS is_short,
        min(${ref("m.started_at")}) OVER part AS since
      FROM gone m WINDOW part AS (PARTITION BY ${ref("m.metric_id")}, ${ref("m.seq")} / ${sql.lit(numbersOfRow)})
    ) m GROUP BY ${ref("m.metric_id")}, m.place, m.is_short, m.since`,
  );
}

const columnNames = Object.keys(measurementColumns);

/** Inserts measurements of rows `gone.p`, which were deleted from the packed ones by this statement. */
export function insertUnpacked(condition: RawBuilder<SqlBool> = sql`true`) {
  const columns = columnNames.map((name) => (name === "metric_id" ? sql`(gone.p).metric_id` : sql.ref(`u.${name}`)));
  return sql`INSERT INTO ${tableName("measurement")} (${columnsOf(columnNames)})
    SELECT ${sql.join(columns)} FROM gone CROSS JOIN LATERAL unpack_measurements(gone.p) u WHERE ${condition}
    ON CONFLICT DO NOTHING`;
}

/** Makes rows of the packed measurements of these runs, which are locked. One statement, like the packing. */
export async function unpackRuns(tx: PoolClient, runs: readonly RunKey[]): Promise<void> {
  if (runs.length === 0) return;
  const t = fragment<{ t: "metric" }>();
  await write(
    tx,
    sql`WITH gone AS (
      DELETE FROM ${tableName("packed_measurement")} p WHERE p.metric_id = ANY(ARRAY(
        SELECT ${t.ref("t.id")} FROM ${tableName("metric")} t WHERE ${isOfRun([t.ref("t.rollout_id"), t.ref("t.run_uid")], runs)}))
      RETURNING p
    ) ${insertUnpacked()}`,
  );
  await markPacked(tx, { runs, packed: false });
}

export async function markPacked(
  tx: PoolClient,
  { runs, packed: isPacked }: { runs: readonly RunKey[]; packed: boolean },
): Promise<void> {
  await write(
    tx,
    tables
      .updateTable("analysis_run")
      .set({ measurements_packed: isPacked })
      .where(({ ref }) => isOfRun([ref("rollout_id"), ref("uid")], runs)),
  );
}

/** Unpacks those of the locked runs that get measurements, or marks of them. Retention leaves a part of a run packed. */
export async function unpackWritten(
  tx: PoolClient,
  locked: readonly (RunKey & { measurements_packed: boolean; measurements_expired: boolean })[],
  written: readonly MetricName[],
): Promise<void> {
  const packedRuns = locked.filter((run) => run.measurements_packed || run.measurements_expired);
  if (packedRuns.length === 0) return;
  const uids = new Set(written.map(({ runUid }) => runUid));
  await unpackRuns(
    tx,
    packedRuns.filter(({ uid }) => uids.has(uid)),
  );
}
