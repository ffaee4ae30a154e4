import { type SqlBool, sql } from "kysely";
import type { Pool } from "pg";
import { endedPhases, type RunPhase, runPhases } from "#lib/domain/delivery/run-phase.ts";
import type { RecordedMeasurement, RecordedMetric, RecordedRun } from "#lib/domain/delivery/verdict-check.ts";
import { measuringProviderOf, rolloutKindOf } from "#lib/domain/providers.ts";
import { readVersionDuring } from "#lib/server/clusters/sources/read-related-state.ts";
import { type RowOf, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { sumOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { decodePhase, valueText } from "#lib/server/records/measurement-codes.ts";
import { ofMetric } from "#lib/server/records/measurement-row.ts";

/** A longer run is not replayed: it would hold up the others. */
const maxMeasurements = 100_000;
const maxText = 64_000_000;
/** Rows that are read at a time before other work gets a turn. */
const page = 1000;
/** A replay started longer ago than this has ended or its process has died: no replay lasts half as long. */
const startedSince = sql<Date>`clock_timestamp() - interval '2 minutes'`;

const selectRuns = tables
  .selectFrom("analysis_run as a")
  .select(["a.uid", "a.rollout_id", "a.cluster", "a.namespace", "a.kind", "a.phase", "a.message", "a.spec"])
  .select(["a.created_at", "a.completed_at"])
  .select(({ eb, ref }) => [
    "a.resource_version",
    // A replay of this version was started before and did not end.
    eb("a.verdict_check_started_version", "is not distinct from", ref("a.resource_version")).as("was_started"),
  ]);
export type DueRun = RowOf<typeof selectRuns>;

/**
 * Loads runs that have ended and whose check is missing or outdated, newest first, except those being replayed. The
 * query must repeat a part of the index `analysis_run_due` word for word: nothing in it is bound.
 */
export async function loadDueRuns(pool: Pool, limit: number): Promise<DueRun[]> {
  return readRows(
    pool,
    selectRuns
      .where(({ ref }) => sql<SqlBool>`${ref("a.phase")} IN (${sql.join(endedPhases.map((phase) => sql.lit(phase)))})`)
      .whereRef("a.verdict_check_version", "is distinct from", "a.resource_version")
      .where(({ or, eb, ref }) =>
        or([
          eb("a.verdict_check_started_version", "is distinct from", ref("a.resource_version")),
          eb("a.verdict_check_started_at", "<", startedSince),
        ]),
      )
      .orderBy("a.updated_at", "desc")
      .limit(limit),
  );
}

/** Selects metrics with how many of their measurements were lost, and how many were taken again. */
function selectMetrics({ rollout_id: rolloutId, uid }: DueRun) {
  return tables
    .selectFrom("metric")
    .select(["id", "name", "phase", "dry_run", "count", "successful", "failed", "inconclusive", "error"])
    .select(["consecutive_error", "consecutive_success", "inconsistent"])
    .select(({ selectFrom }) => [
      selectFrom("measurement_gap as gap")
        .select(({ ref }) => sumOf(ref("gap.count")).as("lost"))
        .whereRef("gap.metric_id", "=", "metric.id")
        .$asScalar()
        .$notNull()
        .as("lost"),
      selectFrom("recorded_measurement as m")
        .select(sql<number>`count(*)::int`.as("count"))
        .whereRef("m.metric_id", "=", "metric.id")
        .where("m.superseded", "=", true)
        .$asScalar()
        .$notNull()
        .as("taken_again"),
    ])
    .where("metric.rollout_id", "=", rolloutId)
    .where("metric.run_uid", "=", uid)
    .orderBy("metric.ord")
    .orderBy("metric.name");
}
type MetricRow = RowOf<ReturnType<typeof selectMetrics>>;

/** One row per number: after a corrected start, an in-flight row may coexist with its finished one. */
const selectMeasurements = tables
  .selectFrom("recorded_measurement as m")
  .distinctOn("m.seq")
  .select(["m.seq", "m.finished_at", "m.phase", "m.escaped", "m.message", valueText.as("value")])
  .where("m.superseded", "=", false)
  .orderBy("m.seq")
  .orderBy("m.finished_at", (order) => order.asc().nullsLast())
  .limit(page);
type MeasurementRow = RowOf<typeof selectMeasurements>;

/** Loads a stored run as the verdict check reads it, or returns why it cannot be read. */
export async function loadRecordedRun(pool: Pool, due: DueRun): Promise<RecordedRun | string> {
  const rules = measuringProviderOf(due.kind).readRules(due.spec);
  const phase = asRunPhase(due.phase);
  if (rules === undefined || phase === undefined) return "Its rules as recorded cannot be read.";
  const metrics = await readRows(pool, selectMetrics(due));
  const size = await readRow(
    pool,
    tables
      .selectFrom("metric as t")
      .innerJoinLateral(ofMetric, (join) => join.onTrue())
      .select(({ ref }) => {
        const text = sql`octet_length(${valueText}) + octet_length(${ref("m.message")})`;
        return sql<number>`COALESCE(sum(${text}), 0)::float8`.as("text");
      })
      .where("t.rollout_id", "=", due.rollout_id)
      .where("t.run_uid", "=", due.uid),
  );
  if ((size?.text ?? 0) > maxText)
    return `Its measurements hold more than ${maxText / 1_000_000} MB of text, too much to be judged again.`;
  const byMetric = await loadMeasurements(pool, metrics);
  if (byMetric === undefined) return `It has more than ${maxMeasurements} measurements, too many to be judged again.`;
  const controllerVersion = await readVersionOfRun(pool, due);
  return {
    kind: due.kind,
    rules,
    phase,
    message: due.message,
    metrics: metrics.map((row) => toMetric(row, byMetric.get(row.id) ?? [])),
    ...(controllerVersion === undefined ? {} : { controllerVersion }),
  };
}

async function readVersionOfRun(pool: Pool, due: DueRun): Promise<string | undefined> {
  const { cluster, kind, created_at: from, completed_at: to } = due;
  if (to === null) return undefined;
  return readVersionDuring(pool, { cluster, kind: rolloutKindOf(kind), from, to });
}

/**
 * Loads the measurements of each metric page by page and yields in between. Returns undefined if there are too many.
 */
async function loadMeasurements(
  pool: Pool,
  metrics: readonly MetricRow[],
): Promise<ReadonlyMap<string, RecordedMeasurement[]> | undefined> {
  const byMetric = new Map<string, RecordedMeasurement[]>();
  let room = maxMeasurements;
  for (const { id } of metrics) {
    const own = await loadMeasurementsOf(pool, id, room);
    if (own === undefined) return undefined;
    byMetric.set(id, own);
    room -= own.length;
  }
  return byMetric;
}

/** Returns undefined if there are more than `most`. */
async function loadMeasurementsOf(pool: Pool, id: string, most: number): Promise<RecordedMeasurement[] | undefined> {
  const measurements: RecordedMeasurement[] = [];
  let after = -(2 ** 31);
  for (;;) {
    const rest = selectMeasurements.where("m.metric_id", "=", id).where("m.last_seq", ">", after);
    const rows = await readRows(pool, rest.where("m.seq", ">", after));
    measurements.push(...rows.map(toMeasurement));
    if (measurements.length > most) return undefined;
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return measurements;
    after = last.seq;
  }
}

function toMetric(row: MetricRow, measurements: readonly RecordedMeasurement[]): RecordedMetric {
  return {
    name: row.name,
    phase: asRunPhase(row.phase),
    dryRun: row.dry_run,
    count: row.count,
    successful: row.successful,
    failed: row.failed,
    inconclusive: row.inconclusive,
    error: row.error,
    consecutiveError: row.consecutive_error,
    consecutiveSuccess: row.consecutive_success,
    measurements,
    lost: row.lost,
    takenAgain: row.taken_again,
    isInconsistent: row.inconsistent,
  };
}

function toMeasurement(row: MeasurementRow): RecordedMeasurement {
  const { seq, value, escaped, message, finished_at: finishedAt } = row;
  return {
    seq,
    phase: asRunPhase(decodePhase(row.phase)) ?? "Running",
    message,
    // Escaping leaves a backslash; if the value has none, the message was escaped.
    isAltered: escaped && value?.includes("\\") === true,
    ...(value === null ? {} : { value }),
    ...(finishedAt === null ? {} : { finishedAt: finishedAt.toISOString() }),
  };
}

function asRunPhase(text: string): RunPhase | undefined {
  return runPhases.find((phase) => phase === text);
}
