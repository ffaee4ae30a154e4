// Many small clusters, recorded by one process and by two: time until all are live, memory, and the cost while nothing
// changes. Then a list over all of them, compared with the same list over one cluster with as many rollouts. One API
// server of the sandbox answers for all clusters. Runs `npm run build` if it is stale.
import { setTimeout as sleep } from "node:timers/promises";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { readCpuSeconds, readMemory } from "./support/process-memory.ts";
import { readRawLists } from "./support/read-raw-lists.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse, timeRequest, waitUntil } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const clusters = isFull ? 200 : 10;
const perCluster = 50;
// All rollouts are reviewed once, and their releases figured, before nothing is left to do.
const seconds = isFull ? { settle: 240, idle: 120 } : { settle: 10, idle: 10 };
const rounds = isFull ? 200 : 30;
const most = { liveSeconds: 60, idle: 0.1, listFactor: 1.1, listMoreMs: 5 };

buildApplication();
const listsOverMany = await measureMany(1);
await measureMany(2);
const listsOverOne = await measureLists({ names: 1, rollouts: clusters * perCluster });
const [value, baseline] = [percentile(listsOverMany, 95), percentile(listsOverOne, 95)];
printFigure({
  name: "many-clusters-list",
  value,
  unit: "ms",
  baseline,
  ratio: value / baseline,
  size: `first page of ${clusters * perCluster} rollouts in ${clusters} clusters, p95 of ${rounds}; baseline: in one cluster`,
  goal: `at most ${most.listFactor} times the baseline, or ${most.listMoreMs} ms more`,
  ok: value <= Math.max(baseline * most.listFactor, baseline + most.listMoreMs),
});

/** Returns the times of lists, in milliseconds, if there is one recorder. */
async function measureMany(recorders: 1 | 2): Promise<number[]> {
  const world = await startWorld({ names: clusters, rollouts: perCluster });
  try {
    const size = `${clusters} clusters of ${perCluster} rollouts, ${recorders} ${recorders === 1 ? "recorder" : "recorders"}`;
    const began = performance.now();
    for (let count = 0; count < clusters; count += 1) await readRawLists(world.cluster, ["rollouts"]);
    const rawSeconds = (performance.now() - began) / 1000;
    const startedAt = performance.now();
    const pids = [world.first.startRecorder().pid];
    if (recorders === 2) pids.push((await world.addGatehouse()).startRecorder().pid);
    await world.untilLive();
    const liveSeconds = (performance.now() - startedAt) / 1000;
    printFigure({
      name: `many-clusters-live-${recorders}`,
      value: liveSeconds,
      unit: "s",
      baseline: rawSeconds,
      ratio: liveSeconds / rawSeconds,
      size: `${size}; baseline: reading and parsing the lists of rollouts`,
      goal: `all sources live within ${most.liveSeconds} s`,
      ok: liveSeconds <= most.liveSeconds,
    });
    await sleep(seconds.settle * 1000);
    const used = () => pids.reduce((sum, pid) => sum + readCpuSeconds(pid), 0);
    const before = { at: performance.now(), used: used() };
    await sleep(seconds.idle * 1000);
    const wall = (performance.now() - before.at) / 1000;
    const share = (used() - before.used) / wall;
    printFigure({
      name: `many-clusters-idle-${recorders}`,
      value: share * wall,
      unit: "s of processor time",
      baseline: wall,
      ratio: share,
      size: `${size}, nothing changes; baseline: a core`,
      goal: `at most ${most.idle * 100} % of a core`,
      ok: share <= most.idle,
    });
    const resident = pids.map((pid) => readMemory(pid));
    const mostMiB = Math.max(...resident.map((one) => one.mostMiB));
    printFigure({
      name: `many-clusters-memory-${recorders}`,
      value: mostMiB,
      unit: "MiB resident at most",
      baseline: Math.max(...resident.map((one) => one.residentMiB)),
      ratio: null,
      size: `${size}, the larger process; baseline: at the end`,
      goal: "none: a figure to compare versions by",
      ok: true,
    });
    return recorders === 1 ? await timeLists(world) : [];
  } finally {
    await world.close();
  }
}

async function measureLists(size: { names: number; rollouts: number }): Promise<number[]> {
  const world = await startWorld(size);
  try {
    world.first.startRecorder();
    await world.untilLive();
    return await timeLists(world);
  } finally {
    await world.close();
  }
}

type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts a database, and an API server with these rollouts that is known under so many names. */
async function startWorld({ names, rollouts }: { names: number; rollouts: number }) {
  const database = await startBenchDatabase();
  const cluster = await startCluster();
  await cluster.fill({ rollouts, runs: 0, size: { metrics: 0, measurements: 0 } });
  const others = Object.fromEntries(Array.from({ length: names - 1 }, (_, at) => [`bench-${at + 2}`, cluster]));
  const config = { limits: { requestsPerMinute: 100_000 } };
  const start = () => startGatehouse({ database, cluster, others, config });
  const first = await start();
  const started = [first];
  return {
    cluster,
    first,
    /** Adds processes with ports of their own. */
    async addGatehouse() {
      const further = await start();
      started.push(further);
      return further;
    },
    untilLive: () =>
      waitUntil({
        what: "all sources of all clusters are live",
        withinMs: 600_000,
        check: async () => {
          const [row] = await first.query<{ live: number; all: number }>(
            "SELECT count(*) FILTER (WHERE state = 'live')::int AS live, count(*)::int AS all FROM source",
          );
          return row?.live === names * sourcesOf({ name: "bench" }).length && row.all === row.live;
        },
      }),
    async close() {
      for (const one of started) await one.close();
      await cluster.close();
      await database.stop();
    },
  };
}

async function timeLists({ first }: World): Promise<number[]> {
  const { port, token } = await first.startWeb({ next: true });
  const read = () => timeRequest(`http://127.0.0.1:${port}/api/v1/rollouts?limit=50`, token);
  // The process compiles its code during the first ones.
  for (let round = 0; round < 20; round += 1) await read();
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await read());
  return times;
}
