// Cost per request of a standby for reads, and the share that it takes from the primary. Reads the same lists by HTTP
// through the built application: from a streaming standby, idle and while the primary is written, then from the primary
// alone. Runs `npm run build` if it is stale.
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { startPair } from "#test/database-pair.ts";
import { createTestPool } from "#test/test-pool.ts";
import { buildApplication } from "./support/build-application.ts";
import { fillRecords } from "./support/fill-records.ts";
import { percentile, printFigure } from "./support/print-figure.ts";
import { startGatehouse, type WebProcess, waitUntil } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const sizes = isFull
  ? { rollouts: 10_000, releases: 50_000, runs: 100_000, measurements: 500_000 }
  : { rollouts: 1000, releases: 5000, runs: 10_000, measurements: 20_000 };
const rounds = isFull ? 200 : 60;
const writesPerSecond = 100;
const paths = ["/api/v1/rollouts?limit=100", "/api/v1/releases?limit=50", "/api/v1/search?q=service-77"];
const size = `${sizes.rollouts} rollouts, ${sizes.releases} releases; ${rounds} rounds of ${paths.length} requests`;

buildApplication();
const pair = await startPair({ isSynchronous: false });
const owner = createTestPool(pair.urls.ownerUrl, 2);
const gatehouse = await startGatehouse({
  database: { ...pair.urls, readUrl: pair.standbyUrls.webUrl },
  cluster: { url: "http://127.0.0.1:1", token: "none" },
  config: { limits: { requestsPerMinute: 100_000 } },
});
try {
  await fillRecords(owner, sizes);
  await owner.query("ANALYZE");
  const web = await gatehouse.startWeb({ next: true });
  await untilAnsweredBy(web, "replica");
  const idle = await measure(web);
  const busy = await whileWriting(owner, () => measure(web));
  pair.killStandby();
  await untilAnsweredBy(web, "primary");
  const alone = await measure(web);
  const baseline = percentile(alone.times, 95);
  for (const [name, { times, byReplica }] of [
    ["idle", idle],
    [`${writesPerSecond}-writes`, busy],
  ] as const) {
    const value = percentile(times, 95);
    printFigure({
      name: `replica-p95-${name}`,
      ...{ value, unit: "ms", baseline, ratio: value / baseline },
      size: `${size}; median ${percentile(times, 50).toFixed(1)}, by the primary ${percentile(alone.times, 50).toFixed(1)} ms`,
      goal: "at most 15 ms more than the primary alone",
      ok: value <= baseline + 15,
    });
    printFigure({
      name: `replica-share-${name}`,
      ...{ value: byReplica, unit: "of 1", baseline: null, ratio: null },
      ...{ size, goal: "at least 0.9", ok: byReplica >= 0.9 },
    });
  }
} finally {
  await gatehouse.close();
  await owner.end();
  await pair.stop();
}

type Answerer = "replica" | "primary";

async function ask(web: WebProcess, path: string): Promise<{ ms: number; by: Answerer }> {
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${web.port}${path}`, {
    headers: { authorization: `Bearer ${web.token}` },
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${text.slice(0, 300)}`);
  const by = response.headers.get("x-gatehouse-answered-by") === "replica" ? "replica" : "primary";
  return { ms: performance.now() - startedAt, by };
}

/** `byReplica`: the share of the answers. */
async function measure(web: WebProcess): Promise<{ times: number[]; byReplica: number }> {
  const answers = [];
  for (let round = -5; round < rounds; round += 1)
    for (const path of paths) {
      const answer = await ask(web, path);
      if (round >= 0) answers.push(answer);
    }
  const byReplica = answers.filter(({ by }) => by === "replica").length / answers.length;
  return { times: answers.map(({ ms }) => ms), byReplica };
}

function untilAnsweredBy(web: WebProcess, wanted: Answerer): Promise<void> {
  return waitUntil({
    what: `the ${wanted} answers`,
    withinMs: 10_000,
    check: async () => (await ask(web, paths[0] ?? "")).by === wanted,
  });
}

/** Writes to the primary, one small transaction after another, as a recorder does. */
async function whileWriting<Result>(pool: Pool, work: () => Promise<Result>): Promise<Result> {
  let isDone = false;
  const write = async (): Promise<void> => {
    while (!isDone) {
      await pool.query(
        "UPDATE rollout SET updated_at = clock_timestamp() WHERE id = (SELECT id FROM rollout OFFSET floor(random() * 500) LIMIT 1)",
      );
      await sleep(1000 / writesPerSecond);
    }
  };
  const writing = write();
  try {
    return await work();
  } finally {
    isDone = true;
    await writing;
  }
}
