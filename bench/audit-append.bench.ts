// Chained audit entries per second, each on disk before its writer continues. Compared with plain rows of the same
// size, each in its own transaction, without a chain. Several writers run at once, as several requests do: entries that
// wait for the chain are committed together. Repeated with each entry changing a row in its transaction, as an action's
// intent does, and with a single writer, which shares no commits. Finally beside Tessera, a log with the same promise that
// keeps its tree in files, if Go is installed.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PoolClient } from "pg";
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
const rows = 1000;
let nextRow = 0;
let written = 0;

const cases = [
  { name: `audit-append-${writers}`, count: writers, within: undefined },
  { name: `audit-append-${writers}-within`, count: writers, within: changeOwnRow },
  { name: "audit-append-1", count: 1, within: undefined },
];

const database = await startBenchDatabase();
const pool = createTestPool(database.ownerUrl, writers);
try {
  await measure();
  await compareWithTessera();
} finally {
  await pool.end();
  await database.stop();
}

/** Changes a separate row in its entry's transaction, as the intent of an action does. */
async function changeOwnRow(client: PoolClient): Promise<void> {
  await client.query("UPDATE depending_row SET seen = seen + 1 WHERE id = $1", [nextRow++ % rows]);
}

async function measure(): Promise<void> {
  await pool.query('CREATE TABLE plain_entry (id bigserial PRIMARY KEY, "time" timestamptz DEFAULT now(), entry text)');
  await pool.query("CREATE TABLE depending_row (id int PRIMARY KEY, seen int NOT NULL DEFAULT 0)");
  await pool.query("INSERT INTO depending_row (id) SELECT generate_series(0, $1::int - 1)", [rows]);
  const text = JSON.stringify(sampleDraft(0));
  for (const { name, count, within } of cases) {
    const chained: number[] = [];
    const plain: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      chained.push(await countPerSecond(count, (index) => appendAudit({ pool, entry: sampleDraft(index), within })));
      plain.push(await countPerSecond(count, () => pool.query("INSERT INTO plain_entry (entry) VALUES ($1)", [text])));
      written += perRound;
    }
    const [value, baseline] = [median(chained), median(plain)];
    printFigure({
      name,
      value,
      unit: "entries/s",
      baseline,
      ratio: value / baseline,
      size: `${rounds} rounds of ${perRound}, writers: ${count}${within === undefined ? "" : ", each changes a row in the same transaction"}; baseline: one plain insert each, no chain`,
      goal: `at least ${goal}/s`,
      ok: value >= goal,
    });
  }
  const verdict = await verifyAudit({ client: pool });
  if (!verdict.ok || verdict.entries !== written) throw new Error("the chain that was written does not verify");
}

/** Each writer waits until its entry is on disk, at both sides. The rounds take turns. */
async function compareWithTessera(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
  try {
    const program = join(directory, "tessera");
    if (!buildTessera(program)) return;
    const size = JSON.stringify(sampleDraft(0)).length;
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await countPerSecond(writers, (index) => appendAudit({ pool, entry: sampleDraft(index) })));
      const flags = { dir: join(directory, `log-${round}`), writers, entries: perRound, size };
      const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
      theirs.push(Number(execFileSync(program, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })));
    }
    const [value, baseline] = [median(ours), median(theirs)];
    printFigure({
      name: "audit-append-tessera",
      value,
      unit: "entries/s",
      baseline,
      ratio: value / baseline,
      size: `${rounds} rounds of ${perRound} entries of ${size} bytes, writers: ${writers}; baseline: Tessera's log in files`,
      goal: "at least as many",
      ok: value >= baseline,
    });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Returns whether it could be built: Go may be missing. */
function buildTessera(program: string): boolean {
  try {
    execFileSync("go", ["build", "-o", program, "."], { cwd: join(import.meta.dirname, "tessera"), stdio: "pipe" });
    return true;
  } catch (error) {
    process.stderr.write(`  no comparison with Tessera: ${error instanceof Error ? error.message : error}\n`);
    return false;
  }
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
