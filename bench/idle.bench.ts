// A recorder with rollouts that do not change: its share of a core, that of PostgreSQL under it, its transactions, and
// its memory.
import { setTimeout as sleep } from "node:timers/promises";
import { startBenchDatabase } from "./support/bench-database.ts";
import { printFigure } from "./support/print-figure.ts";
import { readCpuSeconds, readFamilyCpuSeconds, readMemory, readParent } from "./support/process-memory.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const fill = { rollouts: 60, runs: 120, size: { metrics: 3, measurements: 10 } };
/** Checks of verdicts, figures and rules are over by then. */
const settleSeconds = isFull ? 60 : 20;
const seconds = isFull ? 120 : 20;
const mostResident = 220;

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  await cluster.fill(fill);
  const { pid } = gatehouse.startRecorder();
  await gatehouse.untilLive(60_000);
  await sleep(settleSeconds * 1000);
  const before = await read(pid);
  await sleep(seconds * 1000);
  const after = await read(pid);
  const wall = (after.at - before.at) / 1000;
  const size = `${fill.rollouts} rollouts and ${fill.runs} runs, nothing changes, ${Math.round(wall)} s; baseline: a core`;
  for (const { name, used, most } of [
    { name: "idle-recorder", used: after.recorder - before.recorder, most: 0.015 },
    { name: "idle-postgres", used: after.postgres - before.postgres, most: 0.01 },
  ])
    printFigure({
      name,
      value: used,
      unit: "s of processor time",
      baseline: wall,
      ratio: used / wall,
      size,
      goal: `at most ${most * 100} % of a core`,
      ok: used / wall <= most,
    });
  printFigure({
    name: "idle-transactions",
    value: (after.transactions - before.transactions) / wall,
    unit: "transactions/s",
    baseline: null,
    ratio: null,
    size,
    goal: "none: a figure to compare versions by",
    ok: true,
  });
  const { residentMiB, mostMiB } = readMemory(pid);
  printFigure({
    name: "idle-memory",
    value: residentMiB,
    unit: "MiB resident",
    baseline: mostMiB,
    ratio: residentMiB / mostMiB,
    size: `${fill.rollouts} rollouts and ${fill.runs} runs, nothing changes; baseline: the most that it had`,
    goal: `at most ${mostResident} MiB`,
    ok: residentMiB <= mostResident,
  });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}

/** Reads the processor time used so far, in seconds, and the transactions. */
async function read(pid: number) {
  const [row] = await gatehouse.query<{ backend: number; transactions: string }>(
    `SELECT pg_backend_pid() AS backend, xact_commit + xact_rollback AS transactions
     FROM pg_stat_database WHERE datname = current_database()`,
  );
  if (row === undefined) throw new Error("the database has no statistics");
  return {
    at: performance.now(),
    recorder: readCpuSeconds(pid),
    postgres: readFamilyCpuSeconds(readParent(row.backend)),
    transactions: Number(row.transactions),
  };
}
