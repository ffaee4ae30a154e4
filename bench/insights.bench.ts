// Time of the figures of 90 days over a year of history, compared with counting the same releases by one statement.
import { everywhere } from "#lib/domain/policy/rights.ts";
import { getAnalysisInsights } from "#lib/server/pages/insights/get-analysis-insights.ts";
import { getReleaseInsights } from "#lib/server/pages/insights/get-release-insights.ts";
import { createWebPool } from "#lib/server/platform/db/pools.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { fillInsights } from "./support/fill-insights.ts";
import { median, millisecondsOf, printFigure } from "./support/print-figure.ts";

const isFull = process.argv.includes("--full");
const releasesPer90Days = isFull ? 10_000 : 1000;
const measurementsPerMetric = 25;
const rounds = 8;
const goalMs = 1000;

const database = await startBenchDatabase();
const owner = createTestPool(database.ownerUrl, 2);
const web = createWebPool({ url: database.webUrl, maxConnections: 4, onError: () => {} });
try {
  await fillInsights(owner, { rollouts: isFull ? 400 : 100, releasesPer90Days, measurementsPerMetric });
  await measure();
} finally {
  await web.end();
  await owner.end();
  await database.stop();
}

async function measure(): Promise<void> {
  const ctx = makeContext();
  const from = new Date(Date.now() - 90 * 86_400_000).toISOString();
  const { rows } = await owner.query<{ count: string }>("SELECT count(*) FROM measurement");
  const reads: Record<string, () => Promise<unknown>> = {
    releases: () => getReleaseInsights({ ctx, input: { from, timeZone: "Europe/Berlin" } }),
    analysis: () => getAnalysisInsights({ ctx, input: { from } }),
  };
  for (const [name, read] of Object.entries(reads)) {
    const values: number[] = [];
    const baselines: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      values.push(await millisecondsOf(read));
      baselines.push(
        await millisecondsOf(() =>
          web.query("SELECT state, count(*) FROM release WHERE started_at >= $1 GROUP BY state", [from]),
        ),
      );
    }
    const [value, baseline] = [median(values.slice(2)), median(baselines.slice(2))];
    printFigure({
      name: `insights-${name}`,
      value,
      unit: "ms",
      baseline,
      ratio: value / baseline,
      size: `${releasesPer90Days} releases in 90 days of a year, ${rows[0]?.count} measurements; median of ${rounds - 2}`,
      goal: `${goalMs} ms`,
      ok: value <= goalMs,
    });
  }
}

function makeContext(): ServiceContext {
  const freeze = {
    name: "weekend",
    clusters: ["*"],
    namespaces: ["*"],
    rollouts: ["*"],
    actions: ["*"],
    start: "0 18 * * 5",
    duration: "60h",
    timeZone: "Europe/Berlin",
  };
  const runtime = {
    config: () => ({ config: { policies: { reasons: [], freezes: [freeze], secondPerson: [] } } }),

    pool: web,
    now: () => new Date(),
  } as unknown as Runtime;
  const rights = {
    grants: [{ role: "admin", scope: everywhere, actions: ["*"], breakGlass: true }],
    cap: "admin",
  };
  return { runtime, actor: { rights }, requestId: "bench" } as unknown as ServiceContext;
}
