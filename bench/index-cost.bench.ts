// Cost to the recorder of the indexes for lists, insights and search. Measurements per second and batch times are
// compared with the same database without them. The rounds alternate, so that both have tables of equal size.
import pg, { type Pool, type PoolClient } from "pg";
import { ensurePartitions } from "#lib/server/edge/recorder-process/run-upkeep.ts";
import { createRecorderPool } from "#lib/server/recording/store/recorder-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { median, percentile, printFigure } from "./support/print-figure.ts";
import { createRuns, recordRuns } from "./support/record-runs.ts";

const isFull = process.argv.includes("--full");
const shape = { runs: isFull ? 4000 : 1000, metrics: 5, measurementsPerMetric: 10 };
const rounds = isFull ? 8 : 4;
const total = shape.runs * shape.metrics * shape.measurementsPerMetric;
/**
 * `perSecond` is the goal of `recorder-ingest`, indexes included. The cost itself has no goal: compare it before and
 * after a change.
 */
const goals = { perSecond: 20_000, batchRatio: 1.25 };

/** Older indexes of the tables that runs are written to: from before sortable lists, insights and search. */
const kept = [
  "analysis_run_pkey",
  "analysis_run_rollout_id_created_at_uid_idx",
  "analysis_run_created_at_uid_idx",
  "analysis_run_owner_uid_idx",
  "analysis_run_live",
  "analysis_run_due",
  "metric_pkey",
];
const writtenTables = ["analysis_run", "metric"];

type Side = { perSecond: number[]; batchMs: number[] };

const database = await startBenchDatabase();
const owner = new pg.Pool({ connectionString: database.ownerUrl, max: 1 });
const pool = createRecorderPool({ url: database.recorderUrl, onError: () => {} });
try {
  await ensurePartitions(pool);
  const indexes = await readIndexes(owner);
  const sides = { with: { perSecond: [], batchMs: [] } as Side, without: { perSecond: [], batchMs: [] } as Side };
  // The first round of each side warms up.
  for (let round = 0; round < 2 * (rounds + 1); round += 1) {
    const isWithout = round % 2 === 1;
    if (isWithout) await owner.query(`DROP INDEX ${indexes.map(({ name }) => name).join(", ")}`);
    await owner.query("CHECKPOINT");
    const timed = timeTransactions(pool);
    const ms = await recordRuns(timed.pool, createRuns(round, shape));
    if (isWithout) for (const { definition } of indexes) await owner.query(definition);
    if (round < 2) continue;
    const side = isWithout ? sides.without : sides.with;
    side.perSecond.push(total / (ms / 1000));
    side.batchMs.push(...timed.times);
  }
  print(sides, indexes.length);
} finally {
  await owner.end();
  await pool.end();
  await database.stop();
}

function print({ with: own, without }: { with: Side; without: Side }, indexes: number): void {
  const size = `${shape.runs} runs x ${shape.metrics} metrics x ${shape.measurementsPerMetric} measurements, ${rounds} rounds each; baseline: without ${indexes} indexes`;
  const [value, baseline] = [median(own.perSecond), median(without.perSecond)];
  printFigure({
    name: "index-cost-ingest",
    value,
    unit: "measurements/s",
    baseline,
    ratio: value / baseline,
    size,
    goal: `at least ${goals.perSecond}/s`,
    ok: value >= goals.perSecond,
  });
  for (const p of [50, 95]) {
    const [ms, without95] = [percentile(own.batchMs, p), percentile(without.batchMs, p)];
    printFigure({
      name: `index-cost-batch-p${p}`,
      value: ms,
      unit: "ms",
      baseline: without95,
      ratio: ms / without95,
      size: `${size}; ${own.batchMs.length} and ${without.batchMs.length} batches`,
      goal: `at most ${goals.batchRatio} of the baseline`,
      ok: ms <= without95 * goals.batchRatio,
    });
  }
}

async function readIndexes(connection: Pool): Promise<{ name: string; definition: string }[]> {
  const { rows } = await connection.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND tablename = ANY($1) AND indexname <> ALL($2)`,
    [writtenTables, kept],
  );
  if (rows.length === 0) throw new Error("no index to leave out");
  return rows;
}

/** Returns a pool that notes how long each of its connections was held: for the recorder, the time of a batch. */
function timeTransactions(pool: Pool): { pool: Pool; times: number[] } {
  const times: number[] = [];
  const connect = async (): Promise<PoolClient> => {
    const client = await pool.connect();
    const startedAt = performance.now();
    return new Proxy(client, {
      get: (target, key) => {
        const value: unknown = Reflect.get(target, key);
        if (typeof value !== "function") return value;
        if (key !== "release") return value.bind(target);
        return (error?: Error | boolean) => {
          times.push(performance.now() - startedAt);
          target.release(error);
        };
      },
    });
  };
  const timed = new Proxy(pool, {
    get: (target, key) => {
      if (key === "connect") return connect;
      const value: unknown = Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  return { pool: timed, times };
}
