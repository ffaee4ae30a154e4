// Time and size of the series about rollouts, compared with reading the same rollouts by one statement.
import { createWebPool } from "#lib/server/platform/db/pools.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { fillRecords } from "./support/fill-records.ts";
import { median, printFigure } from "./support/print-figure.ts";
import { scrapeSeries } from "./support/scrape-series.ts";

const isFull = process.argv.includes("--full");
const sizes = isFull
  ? { rollouts: 10_000, releases: 50_000, runs: 125_000, measurements: 250_000 }
  : { rollouts: 1000, releases: 5000, runs: 12_500, measurements: 25_000 };
const options = { named: isFull ? 1000 : 100, teams: 50 };
const rounds = isFull ? 40 : 15;
const goalMs = 300;
const goalMegabytes = 2;

const database = await startBenchDatabase();
const owner = createTestPool(database.ownerUrl, 2);
const web = createWebPool({ url: database.webUrl, maxConnections: 4, onError: () => {} });
try {
  await fillRecords(owner, sizes);
  for (let round = 0; round < 5; round++) await scrapeSeries(web, options);
  const times: number[] = [];
  const baselines: number[] = [];
  let bytes = 0;
  let samples = 0;
  for (let round = 0; round < rounds; round++) {
    const scrape = await scrapeSeries(web, options);
    times.push(scrape.ms);
    ({ bytes, samples } = scrape);
    const startedAt = performance.now();
    await web.query("SELECT cluster, namespace, kind, name, phase, weight_set, attention_reason FROM rollout");
    baselines.push(performance.now() - startedAt);
  }
  const size = `${sizes.rollouts} rollouts, ${options.named} of them named, ${options.teams} teams, ${samples} samples`;
  const [value, baseline] = [median(times), median(baselines)];
  printFigure({
    name: "scrape-time",
    value,
    unit: "ms",
    baseline,
    ratio: value / baseline,
    size: `${size}; median of ${rounds}`,
    goal: `${goalMs} ms`,
    ok: value <= goalMs,
  });
  const megabytes = bytes / 1e6;
  printFigure({
    name: "scrape-size",
    value: megabytes,
    unit: "MB",
    baseline: null,
    ratio: null,
    size,
    goal: `${goalMegabytes} MB`,
    ok: megabytes <= goalMegabytes,
  });
} finally {
  await web.end();
  await owner.end();
  await database.stop();
}
