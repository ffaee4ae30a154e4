// Attacks that go on from one namespace of one cluster, from an API server whose answers unpack to far more than they
// are, and from the network, in the running web and recorder processes: hostile text, faults of the API server, upgrade
// requests, wrong credentials, costly pages. Meanwhile an approved gate of another cluster is asked four times a second,
// and that cluster's rollouts change. An hour with --full, through the built application.
import { loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { attackByCluster, serveBombs } from "./support/attack-cluster.ts";
import { attackByHttp } from "./support/attack-web.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { addCredential, addLiveCanary, startHookDriver } from "./support/hook-driver.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { countDescriptors, readMemory } from "./support/process-memory.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse, waitUntil } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const seconds = isFull ? 3600 : 40;
const quietSeconds = isFull ? 60 : 10;
/** The chart's limits (deploy/chart/values.yaml). */
const limitsMiB = { web: 1024, recorder: 2048 };
const rollouts = 40;
const perSecond = 4;

/** `behindSeconds`: the longest time without a recorded change of the other cluster, which changes ten times a second. */
type Looks = { looked: number; notLive: number; behindSeconds: number; sockets: number };

/**
 * Prints the gates of each minute as it ends, with the load of the machine: whatever else runs beside the bench shows.
 * Returns what to call with each answer.
 */
function printMinutes(): (ms: number, dueMs: number) => void {
  let minute = 0;
  let answers: number[] = [];
  return (ms, dueMs) => {
    const own = Math.floor(dueMs / 60_000);
    if (own > minute) {
      const [slowest, median] = [percentile(answers, 100), percentile(answers, 50)].map((each) => each.toFixed(0));
      const load = loadavg()[0]?.toFixed(1);
      process.stdout.write(`  minute ${minute + 1}: slowest gate ${slowest} ms, median ${median} ms, load ${load}\n`);
      [minute, answers] = [own, []];
    }
    answers.push(ms);
  };
}

if (isFull) buildApplication();
const database = await startBenchDatabase();
const [sound, attacked, bombs] = [await startCluster(), await startCluster(), await serveBombs()];
const gatehouse = await startGatehouse({
  database,
  cluster: sound,
  others: { attacked, bombs: { ...bombs, token: "none" } },
});
const stop = new AbortController();
let driver: ReturnType<typeof startHookDriver> | undefined;
try {
  for (const cluster of [sound, attacked])
    await cluster.fill({ rollouts, runs: 0, size: { metrics: 1, measurements: 1 } });
  await sound.addLiveRuns({ objects: rollouts });
  const recorder = gatehouse.startRecorder();
  const canaries = await addLiveCanary(gatehouse, sound);
  const web = await gatehouse.startWeb({ next: isFull });
  await gatehouse.untilLive(60_000);
  driver = startHookDriver({ port: web.port, canaries });
  await driver.untilAnswered();
  const change = (length: number) => sound.change({ perSecond: 10, seconds: length, objects: rollouts });

  const [quiet] = await Promise.all([driver.run({ perSecond, seconds: quietSeconds }), change(quietSeconds)]);
  const hook = await addCredential(gatehouse, { cluster: "attacked", namespaces: ["team-0"], purpose: "flagger" });
  const audit = await addCredential(gatehouse, { cluster: "attacked", purpose: "kubernetes-audit" });
  const attacks = [
    attackByCluster(attacked, stop.signal),
    attackByHttp({ port: web.port, hook, audit, signal: stop.signal }),
  ] as const;
  const looks = watchSources(stop.signal);
  const [under, { changes }] = await Promise.all([
    driver.run({ perSecond, seconds, onAnswer: printMinutes() }),
    change(seconds),
  ]);
  stop.abort();
  const [{ changes: hostile }, { requests }] = await Promise.all(attacks);
  const { looked, notLive, behindSeconds, sockets } = await looks;
  const last = changes.filter(({ kind }) => kind === "Rollout").at(-1);
  await waitUntil({
    what: "the last change is recorded",
    withinMs: 30_000,
    check: async () =>
      (
        await gatehouse.query("SELECT FROM rollout WHERE name = $1 AND cluster = 'bench' AND resource_version = $2", [
          last?.name,
          last?.resourceVersion,
        ])
      ).length > 0,
  });
  const size = `${seconds} s; ${requests} hostile requests, ${hostile} hostile objects; ${changes.length} changes of the other cluster`;
  const most = percentile(under.ms, 100);
  const baseline = percentile(quiet.ms, 100);
  printFigure({
    name: "attacks-gate-slowest",
    value: most,
    unit: "ms",
    baseline,
    ratio: most / baseline,
    size: `${under.ms.length} calls, median ${percentile(under.ms, 50).toFixed(1)} ms, p99 ${percentile(under.ms, 99).toFixed(1)} ms; ${size}; baseline: before the attacks`,
    goal: "under 800 ms",
    ok: most < 800,
  });
  const refused = under.ms.length - under.passed;
  printFigure({
    name: "attacks-gate-refused",
    value: refused,
    unit: "calls",
    baseline: under.ms.length,
    ratio: refused / under.ms.length,
    size,
    goal: "none",
    ok: refused === 0 && under.wrong === 0,
  });
  printFigure({
    name: "attacks-sources-not-live",
    value: notLive,
    unit: "looks",
    baseline: looked,
    ratio: notLive / looked,
    size: "a look a second at all sources of the other cluster",
    goal: "none",
    ok: notLive === 0 && looked > 0,
  });
  printFigure({
    name: "attacks-recording-behind",
    value: behindSeconds,
    unit: "s",
    baseline: null,
    ratio: null,
    size: "the longest time without a recorded change of the other cluster, which changes ten times a second",
    goal: "under 5 s",
    ok: behindSeconds < 5,
  });
  for (const [name, pid] of [
    ["web", web.pid],
    ["recorder", recorder.pid],
  ] as const) {
    const { mostMiB, residentMiB } = readMemory(pid);
    const limit = limitsMiB[name];
    printFigure({
      name: `attacks-memory-${name}`,
      value: mostMiB,
      unit: "MiB",
      baseline: limit,
      ratio: mostMiB / limit,
      size: `${residentMiB.toFixed(0)} MiB at the end; baseline: the chart's limit`,
      goal: "under the chart's limit",
      ok: mostMiB < limit,
    });
  }
  await sleep(5000);
  const open = countDescriptors(web.pid);
  printFigure({
    name: "attacks-descriptors",
    value: open,
    unit: "descriptors",
    baseline: sockets,
    ratio: open / sockets,
    size: "of the web process 5 s after the attacks; baseline: before",
    goal: "at most 50 more",
    ok: open <= sockets + 50,
  });

  async function watchSources(signal: AbortSignal): Promise<Looks> {
    const result: Looks = { looked: 0, notLive: 0, behindSeconds: 0, sockets: countDescriptors(web.pid) };
    while (!signal.aborted) {
      const rows = await gatehouse.query(
        `SELECT FROM source WHERE cluster = 'bench'
            AND (state <> 'live' OR now() - least(watch_contact_at, read_contact_at) > stale_after_ms * interval '1 ms')`,
      );
      const [newest] = await gatehouse.query<{ seconds: number }>(
        "SELECT extract(epoch FROM now() - max(updated_at))::float8 AS seconds FROM rollout WHERE cluster = 'bench'",
      );
      result.behindSeconds = Math.max(result.behindSeconds, newest?.seconds ?? 0);
      result.looked += 1;
      if (rows.length > 0) result.notLive += 1;
      await sleep(1000, undefined, { signal }).catch(() => {});
    }
    return result;
  }
} finally {
  stop.abort();
  driver?.close();
  await gatehouse.close();
  await Promise.all([sound.close(), attacked.close()]);
  bombs.close();
  await database.stop();
}
