// Back-test: recorded measurements replayed per second, from Postgres to the totals, by one thread; and whether memory
// grows with their number.
import { everywhere } from "#lib/domain/policy/rights.ts";
import { runBacktest } from "#lib/server/pages/backtest/run-backtest.ts";
import { evaluationWorker } from "#lib/server/platform/config/program-files.ts";
import { createWebPool } from "#lib/server/platform/db/pools.ts";
import { createEvaluationPool } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { median, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const rounds = isFull ? 5 : 3;
const goal = 200_000;
/** Many short runs, and few long ones. */
const shapes = isFull
  ? [
      { name: "short", runs: 1000, measurements: 100 },
      { name: "long", runs: 20, measurements: 50_000 },
    ]
  : [
      { name: "short", runs: 500, measurements: 40 },
      { name: "long", runs: 4, measurements: 25_000 },
    ];

const database = await startBenchDatabase();
const owner = createTestPool(database.ownerUrl, 2);
const web = createWebPool({ url: database.webUrl, maxConnections: 4, onError: () => {} });
const evaluations = createEvaluationPool({ file: evaluationWorker, threads: 1 });
try {
  for (const shape of shapes) await fill(shape);
  await owner.query("ANALYZE");
  for (const shape of shapes) await measure(shape);
} finally {
  await evaluations.close();
  await web.end();
  await owner.end();
  await database.stop();
}

type Shape = (typeof shapes)[number];

async function fill({ name, runs, measurements }: Shape): Promise<void> {
  const metric = {
    name,
    interval: "30s",
    failureLimit: -1,
    consecutiveSuccessLimit: 10_000_000,
    successCondition: "result[0] >= 0.95",
    provider: { prometheus: { query: "up" } },
  };
  await owner.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, terminated, spec,
       resource_version, created_at, started_at, completed_at, updated_at)
     SELECT $1 || n, md5($1 || n)::uuid, 'prod', 'shop', $1 || n, 'Background', 'Successful', '', true, $2::jsonb, '1',
       now() - interval '1 day', now() - interval '1 day', now(), now()
     FROM generate_series(1, $3::int) n`,
    [name, JSON.stringify({ metrics: [metric] }), runs],
  );
  await owner.query(
    `INSERT INTO metric (rollout_id, run_uid, name, phase, message, provider, count, successful, failed)
     SELECT md5($1 || n)::uuid, $1 || n, $1, 'Successful', '', 'prometheus', $3::int, $3::int - $3::int / 4, $3::int / 4
     FROM generate_series(1, $2::int) n`,
    [name, runs, measurements],
  );
  await owner.query(
    `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
     SELECT metric.id, i, t, t, CASE WHEN i % 4 = 0 THEN 'F' ELSE 'S' END, '', 'a',
       CASE WHEN i % 4 = 0 THEN 0.8712 ELSE 0.9871 + i % 10 / 100000.0 END
     FROM metric, generate_series(1, $2::int) i,
       LATERAL (SELECT now() - interval '1 day' + i * interval '1 s' AS t) at
     WHERE metric.name = $1`,
    [name, measurements],
  );
}

async function measure({ name, runs, measurements }: Shape): Promise<void> {
  const total = runs * measurements;
  const times: number[] = [];
  const processorTimes: number[] = [];
  let most = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const before = process.memoryUsage.rss();
    const usedBefore = process.cpuUsage();
    const startedAt = performance.now();
    const answer = await runBacktest({
      ctx: context(),
      input: {
        metric: name,
        filter: { limit: runs },
        runUids: undefined,
        proposal: { successCondition: "result[0] >= 0.96", failureLimit: -1 },
      },
      request: { signal: new AbortController().signal },
    });
    if (answer.totals.measurements !== total)
      throw new Error(`${answer.totals.measurements} of ${total} were replayed`);
    if (round === 0) continue;
    const { user, system } = process.cpuUsage(usedBefore);
    processorTimes.push(total / ((user + system) / 1e6));
    times.push(total / ((performance.now() - startedAt) / 1000));
    most = Math.max(most, process.memoryUsage.rss() - before);
  }
  const value = median(times);
  printFigure({
    name: `backtest-${name}`,
    value,
    unit: "measurements per second",
    baseline: goal,
    ratio: value / goal,
    size: `${runs} runs of ${measurements}; ${Math.round(median(processorTimes))} per second of processor time, Postgres aside; memory grew by at most ${Math.round(most / 1e6)} MB`,
    goal: `at least ${goal}`,
    ok: value >= goal,
  });
}

function context(): ServiceContext {
  const rights = {
    grants: [{ role: "viewer" as const, scope: everywhere, actions: [], breakGlass: false }],
    cap: "viewer" as const,
  };
  const runtime = { pool: web, evaluations, now: () => new Date() };
  const actor = {
    type: "user",
    issuer: "bench",
    subject: "bench",
    username: "bench",
    name: "bench",
    role: "viewer",
    rights,
  };
  // A back-test needs no more of them.
  return {
    runtime: runtime as unknown as Runtime,
    actor: actor as unknown as ServiceContext["actor"],
    requestId: "bench",
  };
}
