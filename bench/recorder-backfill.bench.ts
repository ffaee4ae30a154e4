// A recorder that starts on a cluster with a long history: time until every measurement is stored and all sources are
// live. Compared with a raw multi-row insert of the same measurement rows.
import pg from "pg";
import { type MeasurementRow, measurementColumns } from "#lib/server/recording/kinds/run-rows.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { insertRawMeasurements } from "./support/insert-raw-measurements.ts";
import { printFigure } from "./support/print-figure.ts";
import { readCpuSeconds } from "./support/process-memory.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const fill = { rollouts: 0, runs: isFull ? 20_000 : 1000, size: { metrics: 5, measurements: 10 } };
const total = fill.runs * fill.size.metrics * fill.size.measurements;
const goalSeconds = 60;

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  await cluster.fill(fill);
  const startedAt = performance.now();
  const { pid } = gatehouse.startRecorder();
  await gatehouse.untilLive(300_000);
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = readCpuSeconds(pid);
  const [stored] = await gatehouse.query<{ count: number }>("SELECT count(*)::int AS count FROM measurement");
  const rawSeconds = await measureRaw();
  printFigure({
    name: "recorder-backfill",
    value: seconds,
    unit: "s",
    baseline: rawSeconds,
    ratio: seconds / rawSeconds,
    size: `${stored?.count} of ${total} measurements of ${fill.runs} runs, ${Math.round(cpuSeconds)} s of processor time`,
    goal: `all of them, a million in ${goalSeconds} s`,
    ok: stored?.count === total && seconds <= (goalSeconds * total) / 1_000_000 + (isFull ? 0 : goalSeconds),
  });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}

/** Returns the seconds to insert everything recorded a second time, under numbers of other metrics. */
async function measureRaw(): Promise<number> {
  const pool = new pg.Pool({ connectionString: database.ownerUrl, max: 2 });
  let ms = 0;
  for (let from = 0; from < fill.runs; from += 1000) {
    const { rows } = await pool.query<MeasurementRow>(
      `SELECT ${Object.keys(measurementColumns)
        .map((name) =>
          name.endsWith("_at")
            ? `m.${name}::text`
            : name === "metric_id"
              ? "m.metric_id + (SELECT max(id) FROM metric) AS metric_id"
              : `m.${name}`,
        )
        .join(", ")}
         FROM (SELECT uid, rollout_id FROM analysis_run ORDER BY uid OFFSET $1 LIMIT 1000) run
           JOIN metric t ON t.rollout_id = run.rollout_id AND t.run_uid = run.uid JOIN measurement m ON m.metric_id = t.id`,
      [from],
    );
    ms += await insertRawMeasurements(pool, rows);
  }
  await pool.end();
  return ms / 1000;
}
