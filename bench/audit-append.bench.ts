// Chained audit entries per second, each in a transaction of its own, against plain rows of the same size inserted the
// same way without a chain. Several writers at once, as several requests are, and one alone: a chain is written one entry after
// the other, each on the disk before the next, so one alone is what several can come to.

import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { median, printFigure } from "./support/print-figure.ts";
import { sampleDraft } from "./support/sample-draft.ts";

const writers = 8;
const isFull = process.argv.includes("--full");
const rounds = isFull ? 5 : 3;
const perRound = isFull ? 4000 : 1000;
const goal = 500;

const database = await startBenchDatabase();
const pool = createTestPool(database.ownerUrl, writers);
try {
  await measure();
} finally {
  await pool.end();
  await database.stop();
}

async function measure(): Promise<void> {
  await pool.query('CREATE TABLE plain_entry (id bigserial PRIMARY KEY, "time" timestamptz DEFAULT now(), entry text)');
  const text = JSON.stringify(sampleDraft(0));
  let written = 0;
  for (const count of [writers, 1]) {
    const chained: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      chained.push(await countPerSecond(count, (index) => appendAudit({ pool, entry: sampleDraft(index) })));
      plain.push(await countPerSecond(count, () => pool.query("INSERT INTO plain_entry (entry) VALUES ($1)", [text])));
      written += perRound;
    }
    const [value, baseline] = [median(chained), median(plain)];
    printFigure({
      name: `audit-append-${count}`,
      value,
      unit: "entries/s",
      baseline,
      ratio: value / baseline,
      size: `${rounds} rounds of ${perRound}, writers: ${count}; baseline: one plain insert each, no chain`,
      goal: `at least ${goal}/s`,
      ok: value >= goal,
    });
  }
  const verdict = await verifyAudit({ client: pool });
  if (!verdict.ok || verdict.entries !== written) throw new Error("the chain that was written does not verify");
}

async function countPerSecond(count: number, write: (index: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const startedAt = performance.now();
  const work = async () => {
    while (next < perRound) await write(next++);
  };
  await Promise.all(Array.from({ length: count }, work));
  return perRound / ((performance.now() - startedAt) / 1000);
}
