import { sql } from "kysely";
import { z } from "zod";
import type { LeftOut, Measurement } from "#lib/contract/analysis-run.ts";
import type { MeasuredRun } from "#lib/server/pages/run/find-measured-run.ts";
import { allOf, type Condition, given } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tableName } from "#lib/server/platform/db/tables.ts";
import { asTime, DatabaseInt, formatListCursor, parseListCursor } from "#lib/server/records/list-cursor.ts";
import { phaseCodes, valueText } from "#lib/server/records/measurement-codes.ts";
import {
  finiteNumber,
  type MeasurementRow,
  ofMetric,
  ofMetricAfter,
  serializeMeasurement,
} from "#lib/server/records/measurement-row.ts";

/** A stretch keeps four points of an ordinary series: the first, the last, the least and the greatest. */
const pointsPerStretch = 4;

export type Thinning = {
  /** Metrics with at most this many measurements are complete. */
  points: number;
  metric?: string | undefined;
  only?: "unsuccessful" | undefined;
  /** Only these metrics, each after its seq. */
  after?: ReadonlyMap<string, number> | undefined;
  /** When a measurement ended, ISO 8601; both ends are included. */
  from?: string | undefined;
  to?: string | undefined;
};

type Row = Omit<MeasurementRow, "metadata"> & { taken: number; unsuccessful: number };
type Run = Pick<MeasuredRun, "uid" | "rollout_id">;

const eb = fragment<{ m: "measurement"; g: "measurement_gap"; t: "metric" }>();
const { ref } = eb;
const metrics = sql`${tableName("metric")} t`;

/** The metrics with their measurements; only those after the known ones, whose rows are not read then. */
function measuredAfter(after: Thinning["after"]) {
  if (after === undefined) return sql`${metrics} CROSS JOIN LATERAL ${ofMetric}`;
  return sql`${metrics} JOIN unnest(${[...after.keys()]}::text[], ${[...after.values()]}::int[]) AS known (name, seq)
    ON known.name = ${ref("t.name")} CROSS JOIN LATERAL ${ofMetricAfter(sql<number>`known.seq`)}`;
}

const successful = sql.lit(phaseCodes.Successful);

/**
 * Reads the measurements of a run's metrics that count, thinned in SQL (see `MeasurementQuery.points`), by metric and
 * seq. Invariant: measurements left out are counted, and a stretch keeps a measurement of each phase in it. The newest
 * are always kept, so that an answer that continues from `formatLatest` repeats nothing that was left out here.
 */
export async function readThinnedMeasurements(
  connection: Connection,
  run: Run,
  thinning: Thinning,
): Promise<{ items: Measurement[]; leftOut: LeftOut[] }> {
  const rows = await readRows(connection, selectThinned(run, thinning));
  const leftOut = [...Map.groupBy(rows, ({ metric }) => metric).values()].flatMap(countLeftOut);
  return { items: rows.map(serializeMeasurement), leftOut };
}

function countLeftOut(kept: readonly Row[]): LeftOut[] {
  const [first] = kept;
  if (first === undefined || first.taken === kept.length) return [];
  const unsuccessful = first.unsuccessful - kept.filter(({ phase }) => phase !== phaseCodes.Successful).length;
  return [{ metric: first.metric, count: first.taken - kept.length, unsuccessful }];
}

function selectThinned(run: Run, thinning: Thinning) {
  const { points } = thinning;
  const counted = isWanted(run, thinning);
  const measured = measuredAfter(thinning.after);
  const stretches = Math.max(1, Math.floor(points / pointsPerStretch));
  return sql<Row>`WITH own AS MATERIALIZED (
    SELECT ${ref("m.metric_id")}, ${ref("m.seq")}, ${ref("m.phase")}, ${finiteNumber} AS number
    FROM ${measured} WHERE ${counted}
  ), extent AS (
    SELECT metric_id, count(*)::int AS taken, (count(*) FILTER (WHERE phase <> ${successful}))::int AS unsuccessful,
      min(seq) AS first, max(seq) AS last
    FROM own GROUP BY metric_id
  ), stretch AS (
    SELECT metric_id, min(seq) AS first, max(seq) AS last, min(seq) FILTER (WHERE number IS NULL) AS unplotted,
      (min(ARRAY[number, seq]) FILTER (WHERE number IS NOT NULL))[2]::int AS least,
      (max(ARRAY[number, seq]) FILTER (WHERE number IS NOT NULL))[2]::int AS greatest
    FROM (SELECT own.*, (own.seq - e.first)::bigint * ${stretches} / (e.last - e.first + 1) AS place
          FROM own JOIN extent e USING (metric_id) WHERE e.taken > ${points}) placed
    GROUP BY metric_id, place, phase
  ), kept AS (
    SELECT own.metric_id, own.seq FROM own JOIN extent e USING (metric_id)
    WHERE e.taken <= ${points} OR own.seq > e.last - ${newestRead}
      OR (own.phase <> ${successful} AND e.unsuccessful <= ${points})
    UNION SELECT metric_id, unnest(ARRAY[first, last, unplotted, least, greatest]) FROM stretch
    UNION SELECT metric_id, unnest(ARRAY[after_seq, after_seq::bigint + count + 1]) FROM (
      SELECT ${ref("g.metric_id")}, ${ref("g.after_seq")}, ${ref("g.count")}
      FROM ${tableName("metric")} t JOIN ${tableName("measurement_gap")} g ON ${ref("g.metric_id")} = ${ref("t.id")}
      WHERE ${ref("t.rollout_id")} = ${run.rollout_id} AND ${ref("t.run_uid")} = ${run.uid} ORDER BY ${ref("g.count")} DESC LIMIT ${points}) widest
  )
  SELECT ${ref("t.name")} AS metric, ${ref("m.seq")}, ${ref("m.started_at")}, ${ref("m.finished_at")}, ${ref("m.phase")},
    ${valueText} AS value, ${ref("m.parsed_kind")}, ${ref("m.parsed")}, ${ref("m.message")}, ${ref("m.superseded")},
    e.taken, e.unsuccessful
  FROM kept k JOIN extent e ON e.metric_id = k.metric_id
    JOIN (${measured}) ON ${ref("m.metric_id")} = k.metric_id AND ${ref("m.seq")} = k.seq
  WHERE ${counted}
  ORDER BY ${ref("t.name")}, ${ref("m.seq")}, ${ref("m.started_at")}`;
}

const endedAt = eb.fn.coalesce("m.finished_at", "m.started_at");

function isWanted(run: Run, { metric, only, from, to }: Thinning): Condition {
  return allOf([
    eb("t.rollout_id", "=", run.rollout_id),
    eb("t.run_uid", "=", run.uid),
    eb("m.superseded", "=", false),
    given(metric, (name) => eb("t.name", "=", name)),
    given(only, () => eb("m.phase", "<>", phaseCodes.Successful)),
    given(from, (time) => eb(endedAt, ">=", asTime(time))),
    given(to, (time) => eb(endedAt, "<=", asTime(time))),
  ]);
}

/** Name and seq by turns. */
const Key = z.array(z.union([z.string(), DatabaseInt]));

/** A controller repeats its newest measurements if its cache was stale: as many are read again. */
const mayBeRetaken = 5;
/** Measurements at the end of a metric that a position may precede: these, and one that still runs. */
const newestRead = mayBeRetaken + 1;
/** A longer position does not fit into an address. */
const maxLength = 6_000;

/**
 * Formats how far each metric was read, so that a later request can continue there; null if that does not fit into an
 * address. `known` is the position from which the measurements were read.
 */
export function formatLatest(
  measurements: readonly Measurement[],
  known: ReadonlyMap<string, number> | undefined,
): string | null {
  const latest = new Map(known);
  for (const { metric, seq, finishedAt } of measurements) {
    // One that still runs keeps its seq when it ends.
    const settled = finishedAt === null ? seq - 1 : seq;
    latest.set(metric, Math.max(latest.get(metric) ?? 0, settled - mayBeRetaken));
  }
  const text = formatListCursor([...latest].flat());
  return text.length > maxLength ? null : text;
}

/** Parses such a position; undefined for none. Throws `invalid_request` for one that was never issued. */
export function parseLatest(text: string | undefined): Map<string, number> | undefined {
  const key = parseListCursor(Key, text, "since");
  if (key === undefined) return undefined;
  const latest = new Map<string, number>();
  for (let index = 0; index + 1 < key.length; index += 2) latest.set(String(key[index]), Number(key[index + 1]));
  return latest;
}
