// Measurements per second through the recorder's write path, from a watch's objects to committed rows. Compared with a
// raw multi-row insert of the same measurement rows into the same table. With --full, its partition already contains
// five million rows.
import pg, { type Pool } from "pg";
import { ensurePartitions } from "#lib/server/edge/recorder-process/run-upkeep.ts";
import type { MeasurementRow } from "#lib/server/recording/kinds/run-rows.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { insertRawMeasurements } from "./support/insert-raw-measurements.ts";
import { median, printFigure } from "./support/print-figure.ts";
import { createRuns, recordRuns } from "./support/record-runs.ts";

const isFull = process.argv.includes("--full");
const shape = { runs: isFull ? 4000 : 2000, metrics: 5, measurementsPerMetric: 10 };
const { runs, metrics, measurementsPerMetric } = shape;
const rounds = isFull ? 3 : 5;
const total = runs * metrics * measurementsPerMetric;
const storedBefore = isFull ? 5_000_000 : 0;
const goals = { perSecond: 20_000, ratio: 0.8 };

/**
 * Inserts the measurement rows that the recorder has just stored, as those of later metrics, in batches of the same size.
 * Uses only the driver: no recorder code, no runs, no metrics.
 */
async function insertRaw(pool: Pool, uids: readonly string[]): Promise<number> {
  const { rows } = await pool.query<MeasurementRow>(
    `SELECT m.metric_id, m.started_at::text, m.finished_at::text, m.parsed, m.seq, m.superseded, m.escaped, m.phase,
            m.parsed_kind, m.value, m.message, m.metadata
       FROM metric t JOIN measurement m ON m.metric_id = t.id WHERE t.run_uid = ANY($1) ORDER BY t.id, m.seq`,
    [uids],
  );
  if (rows.length !== total) throw new Error(`${rows.length} rows were recorded in place of ${total}`);
  const known = [...new Set(rows.map((row) => row.metric_id))];
  const { rows: numbers } = await pool.query<{ id: string }>(
    "SELECT nextval('metric_id_seq') AS id FROM generate_series(1, $1)",
    [known.length],
  );
  const later = new Map(known.map((id, index) => [id, numbers[index]?.id ?? ""]));
  for (const row of rows) row.metric_id = later.get(row.metric_id) ?? "";
  return insertRawMeasurements(pool, rows, 500 * metrics * measurementsPerMetric);
}

/** Adds rows of other runs to the partition that the rounds write to, in the shape of recorded ones. */
async function fillPartition(pool: Pool): Promise<void> {
  const perStatement = 250_000;
  for (let from = 0; from < storedBefore; from += perStatement) {
    await pool.query(
      `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
       SELECT n / 10 - $3::int, n % 10 + 1, at, at, 'S', '', 'a', ('0.9' || n % 90)::float8
         FROM generate_series($1::int, $2::int) AS n, LATERAL (SELECT now() - interval '2 hours' + n % 10 * interval '30 seconds') AS t(at)`,
      [from, from + perStatement - 1, storedBefore],
    );
  }
  await pool.query("ANALYZE measurement");
}

const database = await startBenchDatabase();
const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
try {
  await ensurePartitions(pool);
  const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
  await fillPartition(owner);
  await owner.end();
  const recorded: number[] = [];
  const raw: number[] = [];
  // The first round warms up both paths.
  for (let round = 0; round <= rounds; round++) {
    const objects = createRuns(round, shape);
    const recordMs = await recordRuns(pool, objects);
    const rawMs = await insertRaw(
      pool,
      objects.map((each) => each.uid),
    );
    if (round === 0) continue;
    recorded.push(total / (recordMs / 1000));
    raw.push(total / (rawMs / 1000));
  }
  // Computed per round, so that a machine which is busy for a while slows both sides.
  const ratio = median(recorded.map((value, round) => value / (raw[round] ?? Number.NaN)));
  const value = median(recorded);
  printFigure({
    name: "recorder-ingest",
    value,
    unit: "measurements/s",
    baseline: median(raw),
    ratio,
    size:
      `${runs} runs x ${metrics} metrics x ${measurementsPerMetric} measurements, median of ${rounds}, ` +
      `into a partition of ${storedBefore} rows`,
    goal: `at least ${goals.perSecond}/s and ${goals.ratio} of a raw insert`,
    ok: value >= goals.perSecond && ratio >= goals.ratio,
  });
} finally {
  await pool.end();
  await database.stop();
}
