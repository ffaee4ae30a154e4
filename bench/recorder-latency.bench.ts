// Changes in the cluster at a steady rate: time until each one's row is committed, and until an SSE client receives it.
import { startBenchDatabase } from "./support/bench-database.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { recordLatency } from "./support/record-latency.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const options = { perSecond: 500, seconds: isFull ? 120 : 8, objects: 1000 };

const database = await startBenchDatabase({ settings: { track_commit_timestamp: "on" } });
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  await cluster.fill({ rollouts: options.objects, runs: 0, size: { metrics: 1, measurements: 1 } });
  await cluster.addLiveRuns(options);
  gatehouse.startRecorder();
  const web = await gatehouse.startWeb({ next: false });
  await gatehouse.untilLive(60_000);
  const result = await recordLatency({ cluster, gatehouse, web, options });
  const lost = [...result.lostRows, ...result.lostEvents];
  for (const key of lost.slice(0, 10)) process.stderr.write(`recorder-latency: lost ${key}\n`);
  const size =
    `${options.perSecond} changes/s for ${options.seconds} s over ${options.objects} rollouts and as many runs, ` +
    `driver behind by at most ${Math.round(result.behindMs)} ms`;
  const baseline = percentile(result.rowMs, 50);
  for (const { name, values, goalMs } of [
    { name: "recorder-latency-row-p99", values: result.rowMs, goalMs: 1000 },
    { name: "recorder-latency-sse-p99", values: result.eventMs, goalMs: 1500 },
  ]) {
    const value = percentile(values, 99);
    printFigure({
      name,
      value,
      unit: "ms",
      baseline,
      ratio: value / baseline,
      size: `${size}; baseline: the median to the row; worst ${Math.round(percentile(values, 100))} ms`,
      goal: `under ${goalMs} ms`,
      ok: value < goalMs,
    });
  }
  printFigure({
    name: "recorder-latency-lost",
    value: lost.length,
    unit: "changes",
    baseline: result.changes,
    ratio: lost.length / result.changes,
    size: `${size}; ${result.lostRows.length} without a row, ${result.lostEvents.length} without an event`,
    goal: "none",
    ok: lost.length === 0,
  });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}
