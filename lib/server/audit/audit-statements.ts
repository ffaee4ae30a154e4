import type { PoolClient, QueryConfig, QueryResult } from "pg";
import { type ChainHead, type computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import type { AuditEntry } from "#lib/domain/audit/audit-entry.ts";
import type { Evidence } from "#lib/server/audit/make-evidence.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";

/** Any fixed number works, as long as every process uses the same one. */
const chainLock = 7_241_905_330_461;

/** Longer than the lock may take: after that the connection is dead, and the next one is tried. */
const answerWithinMs = 6_000;

// The timeouts free the chain from a process that was stopped in the middle of an append.
const beginSql = `
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
SET LOCAL statement_timeout = '10s'`;
// A simple query of several statements: each has its own snapshot, so the head is read after the lock is held.
const headSql = `
SELECT pg_advisory_xact_lock(${chainLock});
SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time, head.seq, head.hash
  FROM (SELECT) AS one LEFT JOIN (SELECT seq::text, hash FROM audit_entry ORDER BY audit_entry.seq DESC LIMIT 1) AS head ON true`;

// Ordered by digest, so that two processes that write the same ones cannot deadlock.
const evidenceSql = `
INSERT INTO evidence (digest, content)
SELECT digest, content FROM unnest($1::text[], $2::text[]) AS given (digest, content) ORDER BY digest
ON CONFLICT (digest) DO NOTHING`;

const columns = {
  ...{ seq: "bigint", time: "timestamptz", entry: "text", entry_hash: "text", previous_hash: "text", hash: "text" },
  ...{ code: "text", source: "text", action: "text", outcome: "text", action_id: "uuid" },
  ...{ actor_name: "text", actor_subject: "text", cluster: "text", namespace: "text", name: "text" },
  evidence_digest: "text",
};
const names = Object.keys(columns).map((column) => `"${column}"`);
const lists = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);

const insertSql = `
WITH appended AS (
  INSERT INTO audit_entry (${names.join(", ")}) SELECT * FROM unnest(${lists.join(", ")})
  RETURNING seq, cluster, namespace, name)
INSERT INTO change_log (kind, ref, op, cluster, namespace, name)
SELECT 'audit', a.seq::text, 'upsert', a.cluster, a.namespace, a.name FROM appended a ORDER BY a.seq`;

/** One row of `audit_entry`, in the order of `columns`. */
export type AuditRow = readonly (string | number | null)[];

/**
 * Opens the transaction, writes the evidence (before the lock: a large one must not make others wait), locks the chain
 * and reads its head and the database's clock. The end of the transaction releases the lock.
 */
export async function openChain(
  client: PoolClient,
  evidence: readonly Evidence[],
): Promise<{ head: ChainHead; time: string }> {
  if (evidence.length === 0) return readHead(client, `${beginSql};${headSql}`);
  await client.query(impatient(beginSql));
  await client.query(evidenceSql, [evidence.map(({ digest }) => digest), evidence.map(({ content }) => content)]);
  return readHead(client, headSql);
}

/** Sets a short timeout, to find a dead connection before anything was written: the pool would wait far longer. */
function impatient(text: string): QueryConfig & { query_timeout: number } {
  return { text, query_timeout: answerWithinMs };
}

async function readHead(client: PoolClient, sql: string): Promise<{ head: ChainHead; time: string }> {
  const results = (await client.query(impatient(sql))) as unknown as QueryResult<{
    time: string;
    seq: string | null;
    hash: string | null;
  }>[];
  const row = results.at(-1)?.rows[0];
  if (row === undefined) throw new Error("the head of the audit chain could not be read");
  const head = row.seq === null || row.hash === null ? emptyChain : { seq: Number(row.seq), hash: row.hash };
  return { head, time: row.time };
}

export function rowOf({ entry, link }: { entry: AuditEntry; link: ReturnType<typeof computeLink> }): AuditRow {
  const { actor, target } = entry;
  return [
    ...[link.seq, entry.time, link.entry, link.entryHash, link.previousHash, link.hash],
    ...[entry.code, entry.source, entry.action, entry.outcome, entry.actionId].map(toColumn),
    ...[actor.name, actor.subject, target?.cluster, target?.namespace, target?.name, entry.evidenceDigest].map(
      toColumn,
    ),
  ];
}

/** Inserts rows in chain order, with a row of the change log for each. */
export async function insertRows(client: PoolClient, rows: readonly AuditRow[]): Promise<void> {
  await client.query(
    insertSql,
    names.map((_, index) => rows.map((row) => row[index])),
  );
}

/** Commits. Also throws if PostgreSQL answers the commit by rolling back: a statement had failed unreported. */
export async function commit(client: PoolClient): Promise<void> {
  const { command } = await client.query("COMMIT");
  if (command !== "COMMIT") throw new Error("the transaction was rolled back instead of being committed");
}

export type Tried<Value> = { ok: true; value: Value } | { ok: false; error: unknown };

/** Runs `work` behind a savepoint. A failure is rolled back and returned; the rest of the transaction stays. */
export async function tryBehindSavepoint<Value>(client: PoolClient, work: () => Promise<Value>): Promise<Tried<Value>> {
  await client.query("SAVEPOINT entry");
  try {
    const value = await work();
    // Fails if `work` hid that one of its statements had failed.
    await client.query("RELEASE SAVEPOINT entry");
    return { ok: true, value };
  } catch (error) {
    await client.query("ROLLBACK TO SAVEPOINT entry; RELEASE SAVEPOINT entry");
    return { ok: false, error };
  }
}
