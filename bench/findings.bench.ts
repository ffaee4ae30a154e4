// Rollouts per second that the rules of oversight look at: for the first time, and after a change of each. The baseline
// reads the same observations and runs by plain statements, without a rule.
import type { Pool } from "pg";
import { providerOfKind } from "#lib/domain/providers.ts";
import { markChanged } from "#lib/server/oversight/mark-changed.ts";
import { reviewFindings } from "#lib/server/oversight/review-findings.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { fillHistory } from "./support/fill-history.ts";
import { observe } from "./support/fill-records.ts";
import { printFigure } from "./support/print-figure.ts";

const rollouts = process.argv.includes("--full") ? 10_000 : 1000;
const observations = 40;

const database = await startBenchDatabase();
const owner = createTestPool(database.ownerUrl, 2);
const recorder = createTestPool(database.recorderUrl, 2);
try {
  await fillHistory(owner, rollouts);
  await fillObservations(owner);
  await measure();
} finally {
  await Promise.all([owner.end(), recorder.end()]);
  await database.stop();
}

async function measure(): Promise<void> {
  await markChanged(recorder);
  for (const name of ["first", "changed"]) {
    const value = await perSecond(reviewAll);
    const baseline = await perSecond(readAll);
    const { rows } = await owner.query<{ count: number }>(
      "SELECT count(*)::int AS count FROM finding WHERE closed_at IS NULL",
    );
    printFigure({
      name: `findings-${name}`,
      value,
      unit: "rollouts/s",
      baseline,
      ratio: value / baseline,
      size: `${rollouts} rollouts of ${observations} observations and five runs, ${rows[0]?.count} open findings; baseline: reading them`,
      goal: "100 rollouts/s, which is a change of each of 10 000 within two minutes",
      ok: value >= 100,
    });
    await owner.query("UPDATE rollout_review SET changes = changes + 1");
  }
}

async function reviewAll(): Promise<void> {
  const onError = (error: unknown): never => {
    throw error;
  };
  for (let left = rollouts; left > 0; ) {
    const { reviewed } = await reviewFindings({ pool: recorder, scopes: [], maxRollouts: 1000, onError });
    if (reviewed === 0) throw new Error(`the rules looked at ${rollouts - left} of ${rollouts} rollouts`);
    left -= reviewed;
  }
}

async function readAll(): Promise<void> {
  const { rows } = await recorder.query<{ id: string }>("SELECT id FROM rollout");
  for (const { id } of rows) {
    await recorder.query("SELECT * FROM observation WHERE rollout_id = $1 ORDER BY id", [id]);
    await recorder.query("SELECT * FROM analysis_run WHERE rollout_id = $1", [id]);
  }
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (rollouts * 1000) / (performance.now() - startedAt);
}

/** Adds the same observations to every rollout: a release in the middle of its steps. */
async function fillObservations(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ object: unknown }>("SELECT object FROM rollout LIMIT 1");
  const parsed = providerOfKind("Rollout").parse(rows[0]?.object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const projection = observe(parsed.value);
  await pool.query(
    `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, provider, run_key, revision, step,
       weight_set, projection)
     SELECT r.id, now() - interval '1 day' + n * interval '1 minute', n::text, 'digest', $1, 'new', 7, 1, 20, $2::jsonb
     FROM rollout r, generate_series(1, $3::int) AS n ORDER BY r.id, n`,
    [providerOfKind("Rollout").name, JSON.stringify(projection), observations],
  );
  await pool.query("VACUUM ANALYZE");
}
