// A cluster with many rollouts and analysis runs: time and memory that the recorder needs to record them all, and its
// watches.
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { startBenchDatabase } from "./support/bench-database.ts";
import { median, printFigure } from "./support/print-figure.ts";
import { readCpuSeconds, readMemory } from "./support/process-memory.ts";
import { readRawLists } from "./support/read-raw-lists.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const fill = {
  rollouts: isFull ? 10_000 : 500,
  runs: isFull ? 50_000 : 2500,
  size: { metrics: 3, measurements: 10 },
};
const goals = { residentMiB: 400, liveSeconds: 60 };
const watchFor = { perSecond: 200, seconds: isFull ? 30 : 3, objects: 200 };

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  const { bytes } = await cluster.fill(fill);
  const size = `${fill.rollouts} rollouts and ${fill.runs} runs, ${Math.round(bytes / 2 ** 20)} MiB of JSON`;
  const rawSeconds = await readRawLists(cluster, ["rollouts", "analysisruns"]);
  const startedAt = performance.now();
  const { pid } = gatehouse.startRecorder();
  const memory = sampleMemory(pid);
  await gatehouse.untilLive(isFull ? 300_000 : 60_000);
  const liveSeconds = (performance.now() - startedAt) / 1000;
  const cpuSeconds = Math.round(readCpuSeconds(pid));
  const stored = await countStored();
  await cluster.addLiveRuns(watchFor);
  await cluster.change(watchFor);
  const resident = median(memory.stop());
  const { mostMiB } = readMemory(pid);
  const watches = await settledWatches();
  printFigure({
    name: "recorder-scale-live",
    value: liveSeconds,
    unit: "s",
    baseline: rawSeconds,
    ratio: liveSeconds / rawSeconds,
    size: `${size}, ${cpuSeconds} s of processor time; baseline: reading and parsing the same lists`,
    goal: `all sources live within ${goals.liveSeconds} s, everything stored`,
    ok: liveSeconds <= goals.liveSeconds && stored.rollouts === fill.rollouts && stored.runs === fill.runs,
  });
  printFigure({
    name: "recorder-scale-memory",
    value: mostMiB,
    unit: "MiB resident at most",
    baseline: resident,
    ratio: mostMiB / resident,
    size: `${size}, then ${watchFor.perSecond} changes/s for ${watchFor.seconds} s; baseline: its median`,
    goal: `under ${goals.residentMiB} MiB`,
    ok: mostMiB < goals.residentMiB,
  });
  const most = Math.max(...Object.values(watches.most));
  printFigure({
    name: "recorder-scale-watches",
    value: most,
    unit: "watches of one source",
    baseline: 1,
    ratio: most,
    size: `${size}; open at the API server: ${JSON.stringify(watches.now)}, at most ${JSON.stringify(watches.most)}`,
    goal: "one watch per source",
    ok: Object.values(watches.now).every((count) => count === 1) && most === 1,
  });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}

/** Returns the watches once settled: a watch that has just ended is reopened at once. */
async function settledWatches(): ReturnType<typeof cluster.watches> {
  for (let tries = 0; ; tries++) {
    const watches = await cluster.watches({});
    if (tries === 100 || Object.values(watches.now).every((count) => count === 1)) return watches;
    await sleep(50);
  }
}

async function countStored(): Promise<{ rollouts: number; runs: number }> {
  const [row] = await gatehouse.query<{ rollouts: number; runs: number }>(
    `SELECT (SELECT count(*)::int FROM rollout WHERE presence = 'live') AS rollouts,
            (SELECT count(*)::int FROM analysis_run WHERE presence = 'live') AS runs`,
  );
  return row ?? { rollouts: 0, runs: 0 };
}

/** Samples a process's resident memory every half second until it is stopped. */
function sampleMemory(pid: number): { stop(): number[] } {
  const samples: number[] = [];
  const timer = setInterval(() => {
    // If the process is gone, its owner notices and reports that better.
    if (existsSync(`/proc/${pid}/exe`)) samples.push(readMemory(pid).residentMiB);
  }, 500);
  return {
    stop: () => {
      clearInterval(timer);
      samples.push(readMemory(pid).residentMiB);
      return samples;
    },
  };
}
