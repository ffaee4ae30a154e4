// Time of the reads that pages are made of, by HTTP through the built application, compared with reading the same data by
// one statement; and whether a late page of a list costs more than the first. Runs `npm run build` if it is stale.
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { buildApplication } from "./support/build-application.ts";
import { fillListed } from "./support/fill-listed.ts";
import { deepRollout, fillRecords } from "./support/fill-records.ts";
import { measureRead, warmUp } from "./support/measure-reads.ts";
import { readCases } from "./support/read-cases.ts";
import { startGatehouse } from "./support/start-gatehouse.ts";

const isFull = process.argv.includes("--full");
const sizes = isFull
  ? { rollouts: 10_000, releases: 200_000, runs: 500_000, measurements: 20_000_000 }
  : { rollouts: 1000, releases: 5000, runs: 12_500, measurements: 250_000 };
const rounds = isFull ? 60 : 20;

buildApplication();
// Faster to fill; nothing is written while reads are measured.
const settings = {
  fsync: "off",
  full_page_writes: "off",
  max_wal_size: "20GB",
  checkpoint_timeout: "1h",
  autovacuum: "off",
};
const database = await startBenchDatabase({ settings });
const owner = createTestPool(database.ownerUrl, 2);
const pool = createTestPool(database.webUrl, 1);
const gatehouse = await startGatehouse({
  database,
  cluster: { url: "http://127.0.0.1:1", token: "none" },
  config: { limits: { requestsPerMinute: 100_000 } },
});
try {
  const startedAt = performance.now();
  await fillRecords(owner, sizes);
  await fillListed(owner);
  const { rollouts, releases, runs, measurements } = sizes;
  const size = `${rollouts} rollouts, ${releases} releases, ${runs} runs, ${measurements} measurements`;
  process.stderr.write(`  filled in ${Math.round((performance.now() - startedAt) / 1000)} s: ${size}\n`);
  const web = await gatehouse.startWeb({ next: true });
  const cases = readCases(await findOrdinary());
  await warmUp(web, cases, isFull ? 20 : 2);
  for (const read of cases) await measureRead({ web, pool, rounds, page: isFull ? 1000 : 20, size }, read);
} finally {
  await pool.end();
  await gatehouse.close();
  await owner.end();
  await database.stop();
}

/** Ids of a release and a run of a rollout with an ordinary history. */
async function findOrdinary(): Promise<{ run: string; release: string }> {
  const { rows } = await owner.query<{ run: string; release: string }>(
    `SELECT a.uid AS run, l.id AS release FROM release l JOIN rollout r ON r.id = l.rollout_id
       JOIN analysis_run a ON a.rollout_id = l.rollout_id AND a.pod_hash = l.run_key
     WHERE r.name <> $1 AND l.state = 'paused' LIMIT 1`,
    [deepRollout.name],
  );
  const [found] = rows;
  if (found === undefined) throw new Error("no release waits");
  return found;
}
