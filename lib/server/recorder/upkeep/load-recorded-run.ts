import type { Pool } from "pg";
import { type RunPhase, runPhases } from "#lib/domain/delivery/run-phase.ts";
import type { RecordedMeasurement, RecordedMetric, RecordedRun } from "#lib/domain/delivery/verdict-check.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";

export type DueRun = {
  uid: string;
  /** Kind of the object that it was recorded from. */
  kind: string;
  rollout_id: string;
  cluster: string;
  namespace: string;
  phase: string;
  message: string;
  spec: unknown;
  resource_version: string;
  /** A replay of this version was started before and did not end. */
  was_started: boolean;
};

type MetricRow = {
  name: string;
  phase: string;
  dry_run: boolean;
  count: number;
  successful: number;
  failed: number;
  inconclusive: number;
  error: number;
  consecutive_error: number;
  consecutive_success: number;
  inconsistent: boolean;
  lost: number;
  taken_again: number;
};

type MeasurementRow = {
  metric: string;
  seq: number;
  finished_at: Date | null;
  phase: string;
  value: string | null;
  escaped: boolean;
  message: string;
};

/** A longer run is not replayed: it would hold up the others. */
const maxMeasurements = 100_000;
const maxText = 64_000_000;
/** Rows that are read at a time before other work gets a turn. */
const page = 1000;
/** A replay started longer ago than this has ended or its process has died: no replay lasts half as long. */
const startedWithin = "2 minutes";

/**
 * Loads runs that have ended and whose check is missing or outdated, newest first, except those being replayed. The
 * query must repeat the index's condition word for word.
 */
export async function loadDueRuns(pool: Pool, limit: number): Promise<DueRun[]> {
  const { rows } = await pool.query<DueRun>(
    `SELECT uid, 'AnalysisRun' AS kind, rollout_id, cluster, namespace, phase, message, spec, resource_version,
        verdict_check_started_version IS NOT DISTINCT FROM resource_version AS was_started FROM analysis_run
      WHERE phase IN ('Successful', 'Failed', 'Error', 'Inconclusive')
        AND verdict_check_version IS DISTINCT FROM resource_version
        AND (verdict_check_started_version IS DISTINCT FROM resource_version
          OR verdict_check_started_at < clock_timestamp() - interval '${startedWithin}')
      ORDER BY updated_at DESC LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Loads a stored run as the verdict check reads it, or returns why it cannot be read. */
export async function loadRecordedRun(pool: Pool, due: DueRun): Promise<RecordedRun | string> {
  const rules = measuringProviderOf(due.kind).readRules(due.spec);
  const phase = asRunPhase(due.phase);
  if (rules === undefined || phase === undefined) return "Its rules as recorded cannot be read.";
  const metrics = await pool.query<MetricRow>(
    `SELECT name, phase, dry_run, count, successful, failed, inconclusive, error, consecutive_error,
       consecutive_success, inconsistent, (SELECT COALESCE(sum(gap.count), 0)::int FROM measurement_gap gap
         WHERE gap.run_uid = metric.run_uid AND gap.metric = metric.name) AS lost,
       (SELECT count(*)::int FROM measurement m WHERE m.rollout_id = $2 AND m.run_uid = metric.run_uid
         AND m.metric = metric.name AND m.superseded) AS taken_again
     FROM metric WHERE run_uid = $1 ORDER BY ord, name`,
    [due.uid, due.rollout_id],
  );
  const size = await pool.query<{ text: number }>(
    `SELECT COALESCE(sum(octet_length(value) + octet_length(message)), 0)::float8 AS text FROM measurement
      WHERE rollout_id = $1 AND run_uid = $2`,
    [due.rollout_id, due.uid],
  );
  if ((size.rows[0]?.text ?? 0) > maxText)
    return `Its measurements hold more than ${maxText / 1_000_000} MB of text, too much to be judged again.`;
  const byMetric = await loadMeasurements(pool, due);
  if (byMetric === undefined) return `It has more than ${maxMeasurements} measurements, too many to be judged again.`;
  return {
    kind: due.kind,
    rules,
    phase,
    message: due.message,
    metrics: metrics.rows.map((row) => toMetric(row, byMetric.get(row.name) ?? [])),
  };
}

/**
 * Loads the measurements of each metric page by page and yields in between. Returns undefined if there are too many.
 */
async function loadMeasurements(
  pool: Pool,
  due: DueRun,
): Promise<ReadonlyMap<string, RecordedMeasurement[]> | undefined> {
  const byMetric = new Map<string, RecordedMeasurement[]>();
  let after = { metric: "", seq: -(2 ** 31) };
  for (let count = 0; ; ) {
    // One row per number: after a corrected start, an in-flight row may coexist with its finished one.
    const { rows } = await pool.query<MeasurementRow>(
      `SELECT DISTINCT ON (metric, seq) metric, seq, finished_at, phase, value, escaped, message FROM measurement
        WHERE rollout_id = $1 AND run_uid = $2 AND NOT superseded AND (metric, seq) > ($3, $4)
        ORDER BY metric, seq, finished_at NULLS LAST LIMIT $5`,
      [due.rollout_id, due.uid, after.metric, after.seq, page],
    );
    count += rows.length;
    if (count > maxMeasurements) return undefined;
    for (const row of rows) {
      const own = byMetric.get(row.metric);
      if (own === undefined) byMetric.set(row.metric, [toMeasurement(row)]);
      else own.push(toMeasurement(row));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return byMetric;
    after = last;
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
    phase: asRunPhase(row.phase) ?? "Running",
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
