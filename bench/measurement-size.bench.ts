// Bytes that a stored measurement takes with its index, after runs were recorded as they measured: 500 at a time, each
// version with one more measurement of each metric. --full records a million.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { ensurePartitions } from "#lib/server/edge/recorder-process/run-upkeep.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { printFigure } from "./support/print-figure.ts";
import { type RunObject, recordRuns } from "./support/record-runs.ts";

const isFull = process.argv.includes("--full");
const metrics = ["error-rate", "latency-p99", "success-rate"];
/** Of each metric; a run begins, and another ends, with each round. */
const perMetric = 20;
const runsAtATime = 500;
const rounds = isFull ? 700 : 60;
const goal = 130;
/** As a controller keeps them. */
const mostKept = 10;

const begin = Date.now() - rounds * 30_000;
const timeOf = (round: number, offsetMs: number): string => new Date(begin + round * 30_000 + offsetMs).toISOString();

/** Ratios, as a metrics server computes them: with all digits of a double. */
const ratioOf = (run: number, seq: number): string => `[${(900 + ((run * 7919 + seq * 104_729) % 100)) / 1001}]`;

/** Returns a run that began with `first`, as it is at the end of a round. */
function runAt(run: { uid: string; index: number; first: number }, round: number): RunObject {
  const taken = round - run.first + 1;
  const kept = Math.min(taken, mostKept);
  const isOver = taken === perMetric;
  const object = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: {
      name: `run-${run.index}`,
      namespace: "team",
      uid: run.uid,
      resourceVersion: String(1000 + taken),
      creationTimestamp: timeOf(run.first, 0),
      ownerReferences: [{ kind: "Rollout", name: `rollout-${run.index % 200}`, uid: "owner", controller: true }],
    },
    spec: {
      metrics: metrics.map((name) => ({
        name,
        interval: "30s",
        count: perMetric,
        provider: { prometheus: { address: "http://prometheus:9090", query: "up" } },
      })),
    },
    status: {
      phase: isOver ? "Successful" : "Running",
      startedAt: timeOf(run.first, 0),
      ...(isOver ? { completedAt: timeOf(round, 1000) } : {}),
      metricResults: metrics.map((name) => ({
        name,
        phase: isOver ? "Successful" : "Running",
        count: taken,
        successful: taken,
        measurements: Array.from({ length: kept }, (_, at) => {
          const seq = taken - kept + at;
          return {
            phase: "Successful",
            value: ratioOf(run.index, seq),
            startedAt: timeOf(run.first + seq, 0),
            finishedAt: timeOf(run.first + seq, 1000),
          };
        }),
      })),
    },
  };
  return { uid: run.uid, object, resourceVersion: String(1000 + taken) };
}

const database = await startBenchDatabase();
const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
try {
  await ensurePartitions(pool);
  let next = 0;
  const running = new Set<{ uid: string; index: number; first: number }>();
  for (let round = 0; round < rounds; round++) {
    for (let started = 0; started < runsAtATime / perMetric; started++)
      running.add({ uid: randomUUID(), index: next++, first: round });
    await recordRuns(
      pool,
      [...running].map((run) => runAt(run, round)),
    );
    for (const run of running) if (round - run.first + 1 === perMetric) running.delete(run);
  }
  const { rows } = await owner.query<{ count: number; table_bytes: number; bytes: number }>(
    `SELECT (SELECT count(*)::int FROM measurement) AS count, sum(pg_relation_size(relid))::float8 AS table_bytes,
            sum(pg_total_relation_size(relid))::float8 AS bytes FROM pg_partition_tree('measurement') WHERE isleaf`,
  );
  const { count = 0, table_bytes: tableBytes = 0, bytes = 0 } = rows[0] ?? {};
  const value = bytes / count;
  printFigure({
    name: "measurement-size",
    value,
    unit: "bytes",
    baseline: goal,
    ratio: value / goal,
    size: `${count} measurements of ${next} runs, ${Math.round(tableBytes / count)} bytes in the table`,
    goal: `at most ${goal}`,
    ok: value <= goal,
  });
} finally {
  await owner.end();
  await pool.end();
  await database.stop();
}
