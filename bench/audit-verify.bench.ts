// Time to verify the chain in the database, compared with reading and hashing the same texts without checking them.
import { createHash } from "node:crypto";
import type { Pool } from "pg";
import { computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import { formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import { verifyAudit } from "#lib/server/audit/verify-audit.ts";
import { createTestPool } from "#test/test-pool.ts";
import { startBenchDatabase } from "./support/bench-database.ts";
import { printFigure } from "./support/print-figure.ts";
import { sampleDraft } from "./support/sample-draft.ts";

const entries = process.argv.includes("--full") ? 1_000_000 : 20_000;
const goalSeconds = 30;
const batch = 5000;

const database = await startBenchDatabase();
const pool = createTestPool(database.ownerUrl, 2);
try {
  await fill(pool);
  await measure();
} finally {
  await pool.end();
  await database.stop();
}

/** Writes a valid chain in bulk. */
async function fill(into: Pool): Promise<void> {
  let head = emptyChain;
  for (let first = 1; first <= entries; first += batch) {
    const rows: Record<string, unknown>[] = [];
    for (let seq = first; seq < first + batch && seq <= entries; seq += 1) {
      const draft = sampleDraft(seq);
      const time = `${new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString().slice(0, -1)}000Z`;
      const link = computeLink({ head, entry: formatEntryText({ ...draft, seq, time }) });
      head = { seq, hash: link.hash };
      const { code, source, action, outcome, actor, target } = draft;
      rows.push({
        ...{
          seq,
          time,
          entry: link.entry,
          entry_hash: link.entryHash,
          previous_hash: link.previousHash,
          hash: link.hash,
        },
        ...{ code, source, action, outcome, actor_name: actor.name, actor_subject: actor.subject },
        ...{ cluster: target?.cluster, namespace: target?.namespace, name: target?.name },
      });
    }
    const columns = Object.keys(rows[0] ?? {});
    const list = columns.map((column) => `"${column}"`).join(", ");
    await into.query(
      `INSERT INTO audit_entry (${list}) SELECT ${list} FROM jsonb_populate_recordset(NULL::audit_entry, $1)`,
      [JSON.stringify(rows)],
    );
  }
  await into.query("VACUUM ANALYZE audit_entry");
}

async function measure(): Promise<void> {
  // Read once first, so that neither of the two finds the file cold.
  await readAndHash();
  const baseline = await secondsOf(readAndHash);
  const value = await secondsOf(async () => {
    const verdict = await verifyAudit({ client: pool });
    if (!verdict.ok || verdict.entries !== entries)
      throw new Error(`the chain does not verify: ${JSON.stringify(verdict)}`);
  });
  const goal = (goalSeconds * entries) / 1_000_000;
  printFigure({
    name: "audit-verify",
    value,
    unit: "s",
    baseline,
    ratio: value / baseline,
    size: `${entries} entries; baseline: read them and hash each text`,
    goal: `at most ${goalSeconds} s for a million, here ${goal} s`,
    ok: value <= goal,
  });
}

async function readAndHash(): Promise<void> {
  for (let last = 0; last < entries; ) {
    const { rows } = await pool.query<{ seq: string; entry: string }>(
      "SELECT seq::text, entry FROM audit_entry a WHERE a.seq > $1::bigint ORDER BY a.seq LIMIT 2000",
      [last],
    );
    for (const { entry } of rows) createHash("sha256").update(entry).digest("hex");
    last = Number(rows.at(-1)?.seq ?? entries);
  }
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}
