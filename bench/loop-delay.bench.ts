// The longest time that one request or one recorded object blocks an event loop, in the running web and recorder
// processes. Uses the largest bodies and objects that they accept, with conditions that are hard to evaluate, compared
// with harmless small ones.
import { setTimeout as sleep } from "node:timers/promises";
import { startBenchDatabase } from "./support/bench-database.ts";
import { hostileBodies, hostileRuns, smallBody, smallRun } from "./support/hostile-bodies.ts";
import { printFigure } from "./support/print-figure.ts";
import { startCluster } from "./support/start-cluster.ts";
import { startGatehouse, type WebProcess, waitUntil } from "./support/start-gatehouse.ts";

const rounds = process.argv.includes("--full") ? 10 : 3;
const goalMs = 50;

type Sample = { name: string; ms: number };

function tell({ name, hostile, baseline }: { name: string; hostile: readonly Sample[]; baseline: readonly Sample[] }) {
  const sorted = hostile.toSorted((one, other) => other.ms - one.ms);
  for (const each of sorted) process.stderr.write(`${name}: ${each.ms.toFixed(1)} ms  ${each.name}\n`);
  const [worst] = sorted;
  const value = worst?.ms ?? Number.NaN;
  const usual = Math.max(...baseline.map(({ ms }) => ms));
  printFigure({
    name,
    value,
    unit: "ms",
    baseline: usual,
    ratio: value / usual,
    size: `${hostile.length} samples, the longest: ${worst?.name}`,
    goal: `at most ${goalMs} ms more than the baseline`,
    ok: value - usual <= goalMs,
  });
}

async function askOften(web: WebProcess, bodies: readonly { name: string; path: string; body: string }[]) {
  const samples: Sample[] = [];
  for (let round = 0; round < rounds; round++)
    for (const { name, path, body } of bodies) {
      await web.readLoopDelay();
      const answer = await fetch(`http://127.0.0.1:${web.port}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${web.token}`, "content-type": "application/json" },
        body,
      });
      await answer.text();
      samples.push({ name: `${name} (${body.length} bytes, answer ${answer.status})`, ms: await web.readLoopDelay() });
    }
  return samples;
}

const database = await startBenchDatabase();
const cluster = await startCluster();
const gatehouse = await startGatehouse({ database, cluster });
try {
  const web = await gatehouse.startWeb({ next: false });
  // Loading and compiling during the first requests must not count.
  await askOften(web, [smallBody, ...hostileBodies]);
  const baseline = await askOften(web, [smallBody, smallBody, smallBody]);
  tell({ name: "loop-delay-web", hostile: await askOften(web, hostileBodies), baseline });

  const recorder = gatehouse.startRecorder();
  await gatehouse.untilLive(60_000);
  const record = async (name: string, object: unknown): Promise<Sample> => {
    await recorder.readLoopDelay();
    await cluster.putObject({ resource: "analysisruns", object });
    await waitUntil({
      what: `${name} is recorded and checked`,
      withinMs: 120_000,
      check: async () => {
        const rows = await gatehouse.query(
          "SELECT FROM analysis_run WHERE name = $1 AND verdict_checked_at IS NOT NULL",
          [name],
        );
        return rows.length > 0;
      },
    });
    await sleep(200);
    return { name: `${name} (${JSON.stringify(object).length} bytes)`, ms: await recorder.readLoopDelay() };
  };
  for (let index = 0; index < 3; index++) await record(`warm-${index}`, smallRun(`warm-${index}`));
  const usual: Sample[] = [];
  for (let index = 0; index < 5; index++) usual.push(await record(`small-${index}`, smallRun(`small-${index}`)));
  const hostile: Sample[] = [];
  for (const { name, object } of hostileRuns) hostile.push(await record(name, object));
  tell({ name: "loop-delay-recorder", hostile, baseline: usual });
} finally {
  await gatehouse.close();
  await cluster.close();
  await database.stop();
}
