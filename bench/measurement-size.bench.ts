// Bytes that a stored measurement takes with its index, after runs were recorded as they measured: 500 at a time, each
// version with one more measurement of each metric. --full records a million. Then the bytes after the runs that ended
// were packed, of the rows and the month's partition that are left too.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { dropPackedMonths } from "#lib/server/recording/retention/drop-packed-months.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { packDueRuns } from "#lib/server/recording/upkeep/pack-runs.ts";
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
const packedGoal = 40;
/** As a controller keeps them. */
const mostKept = 10;

const now = new Date();
/** In the middle of a month: so long ago that the runs are packed. */
const begin = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 3, 10);
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

/** All measurements, and what their tables take with indexes: the empty one for packed measurements takes some pages. */
async function measure({
  withPacked,
}: {
  withPacked: boolean;
}): Promise<{ count: number; bytes: number; tableBytes: number }> {
  const { rows } = await owner.query<{ count: number; bytes: number; table_bytes: number }>(
    `SELECT (SELECT count(*)::int FROM recorded_measurement) AS count,
            sum(pg_total_relation_size(relid))::float8 AS bytes, sum(pg_relation_size(relid))::float8 AS table_bytes
     FROM (SELECT relid FROM pg_partition_tree('measurement') WHERE isleaf
           UNION ALL SELECT 'packed_measurement'::regclass WHERE $1) stored`,
    [withPacked],
  );
  const { count = 0, bytes = 0, table_bytes: tableBytes = 0 } = rows[0] ?? {};
  return { count, bytes, tableBytes };
}

const database = await startBenchDatabase();
const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
// Its connection may be cut as the server stops.
owner.on("error", () => {});
try {
  await owner.query("SELECT ensure_measurement_partition($1::date)", [new Date(begin)]);
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
  const { count, bytes, tableBytes } = await measure({ withPacked: false });
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
  // Those that still measure would never be packed: they are not a part of what is kept.
  await owner.query("UPDATE analysis_run SET completed_at = now() - interval '31 days' WHERE completed_at IS NULL");
  const startedAt = performance.now();
  while ((await packDueRuns(pool)) > 0);
  const perSecond = count / ((performance.now() - startedAt) / 1000);
  await dropPackedMonths(pool);
  const packed = await measure({ withPacked: true });
  const size = packed.bytes / packed.count;
  printFigure({
    name: "packed-measurement-size",
    value: size,
    unit: "bytes",
    baseline: value,
    ratio: size / value,
    size: `${packed.count} measurements, ${Math.round(perSecond)} packed a second`,
    goal: `at most ${packedGoal}, and none lost`,
    ok: size <= packedGoal && packed.count === count,
  });
} finally {
  await owner.end();
  await pool.end();
  await database.stop();
}
