// Measurements per second through the recorder's write path, from a watch's objects to committed rows. Compared with a
// raw multi-row insert of the same measurement rows into the same table. With --full, its partition already contains
// five million rows.
import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import pg, { type Pool } from "pg";
import { inTransaction } from "#lib/server/db/in-transaction.ts";
import { createKindWriter } from "#lib/server/recorder/kinds/create-kind-writer.ts";
import type { MeasurementRow } from "#lib/server/recorder/kinds/run-rows.ts";
import { createSourceWriter } from "#lib/server/recorder/session/source-writer.ts";
import { acquireLease } from "#lib/server/recorder/store/lease.ts";
import { createRecorderMetrics } from "#lib/server/recorder/store/recorder-metrics.ts";
import { createRecorderPool } from "#lib/server/recorder/store/recorder-pool.ts";
import { openSource } from "#lib/server/recorder/store/source-row.ts";
import { ensurePartitions } from "#lib/server/recorder-process/run-upkeep.ts";
import { sourcesOf } from "#lib/server/sources/watched-resources.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { insertRawMeasurements } from "./support/insert-raw-measurements.ts";
import { median, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const runs = isFull ? 4000 : 2000;
const metrics = 5;
const measurementsPerMetric = 10;
const rounds = isFull ? 3 : 5;
const total = runs * metrics * measurementsPerMetric;
const storedBefore = isFull ? 5_000_000 : 0;
const goals = { perSecond: 20_000, ratio: 0.5 };

type RunObject = { uid: string; object: unknown };

/** Creates runs as a controller leaves them: five metrics, each with its newest ten measurements. */
function createRuns(round: number): RunObject[] {
  const begin = Date.now() - 3_600_000;
  const time = (second: number): string => new Date(begin + second * 1000).toISOString();
  return Array.from({ length: runs }, (_, index) => {
    const uid = randomUUID();
    const names = Array.from({ length: metrics }, (_, metric) => `metric-${metric}`);
    const object = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "AnalysisRun",
      metadata: {
        name: `run-${round}-${index}`,
        namespace: `team-${index % 20}`,
        uid,
        resourceVersion: String(1000 + index),
        creationTimestamp: time(0),
        labels: { "rollout-type": "Background", "rollouts-pod-template-hash": "abc" },
        ownerReferences: [
          { kind: "Rollout", name: `rollout-${index % 200}`, uid: `owner-${index % 200}`, controller: true },
        ],
      },
      spec: {
        metrics: names.map((name) => ({
          name,
          interval: "30s",
          successCondition: "result[0] >= 0.95",
          failureLimit: 3,
          provider: { prometheus: { address: "http://prometheus:9090", query: "sum(rate(requests_total[1m]))" } },
        })),
      },
      status: {
        phase: "Successful",
        startedAt: time(0),
        completedAt: time(400),
        metricResults: names.map((name) => ({
          name,
          phase: "Successful",
          count: measurementsPerMetric,
          successful: measurementsPerMetric,
          measurements: Array.from({ length: measurementsPerMetric }, (_, seq) => ({
            phase: "Successful",
            value: `[0.9${(index + seq) % 90}]`,
            startedAt: time(seq * 30),
            finishedAt: time(seq * 30 + 1),
          })),
        })),
      },
    };
    return { uid, object };
  });
}

async function recordRuns(pool: Pool, objects: readonly RunObject[]): Promise<number> {
  const source = sourcesOf({ name: "bench" }).find((each) => each.resource === "analysisruns");
  if (source === undefined) throw new Error("analysis runs are not watched");
  const lease = await acquireLease(pool, { sourceId: source.id, holder: "bench" });
  if (lease === undefined) throw new Error("the lease is held");
  await inTransaction(pool, (tx) => openSource(tx, { source, staleAfterMs: 60_000 }));
  const context = {
    pool,
    source,
    lease,
    writer: createKindWriter(source, createRecorderMetrics()),
    quarantined: new Set<string>(),
    now: () => performance.now(),
    onPoison: () => {
      throw new Error("a row was refused");
    },
  };
  const onError = (error: Error): void => {
    throw error;
  };
  const queue = createSourceWriter(context, { onRetry: onError, onEnd: () => {} });
  const startedAt = performance.now();
  for (const [index, { uid, object }] of objects.entries()) {
    // A list comes in pages of 500, one server response after the other.
    if (index % 500 === 0) await setImmediate();
    await queue.pushObject({ op: "upsert", uid, resourceVersion: "1000", object, receivedAt: new Date() });
    queue.mark({ resourceVersion: "1000", watchContact: performance.now() });
  }
  await queue.drain();
  const elapsedMs = performance.now() - startedAt;
  await queue.close(0);
  return elapsedMs;
}

/**
 * Inserts the measurement rows that the recorder has just stored, under other run uids, in batches of the same size.
 * Uses only the driver: no recorder code, no runs, no metrics.
 */
async function insertRaw(pool: Pool, uids: readonly string[]): Promise<number> {
  const { rows } = await pool.query<MeasurementRow>(
    `SELECT rollout_id, 'raw-' || run_uid AS run_uid, metric, seq, started_at::text, finished_at::text, phase, value,
            escaped, parsed_kind, parsed, message, superseded FROM measurement WHERE run_uid = ANY($1) ORDER BY run_uid, metric, seq`,
    [uids],
  );
  if (rows.length !== total) throw new Error(`${rows.length} rows were recorded in place of ${total}`);
  return insertRawMeasurements(pool, rows, 500 * metrics * measurementsPerMetric);
}

/** Adds rows of other runs to the partition that the rounds write to, in the shape of recorded ones. */
async function fillPartition(pool: Pool): Promise<void> {
  const perStatement = 250_000;
  for (let from = 0; from < storedBefore; from += perStatement) {
    await pool.query(
      `INSERT INTO measurement (rollout_id, run_uid, metric, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
       SELECT md5((n / 50 % 200)::text)::uuid, md5('run' || n / 50)::uuid::text, 'metric-' || n / 10 % 5, n % 10 + 1, at, at,
              'Successful', '[0.9' || n % 90 || ']', 'array', NULL
         FROM generate_series($1::int, $2::int) AS n, LATERAL (SELECT now() - interval '2 hours' + n % 10 * interval '30 seconds') AS t(at)`,
      [from, from + perStatement - 1],
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
    const objects = createRuns(round);
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
