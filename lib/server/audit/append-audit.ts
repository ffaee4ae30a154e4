import type { Pool, PoolClient, QueryResult } from "pg";
import { type ChainHead, computeLink, emptyChain } from "#lib/domain/audit/audit-chain.ts";
import { type AuditDraft, type AuditEntry, formatEntryText } from "#lib/domain/audit/audit-entry.ts";
import type { Evidence } from "#lib/server/audit/make-evidence.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

export type AppendedAudit = { seq: number; time: string; hash: string };

/** Any fixed number serves, as long as every process takes the same one. */
const chainLock = 7_241_905_330_461;

// One simple query, several statements: each has its own snapshot, so the head is read after the lock is held. The
// timeouts free the chain from a process that was stopped in the middle of an append.
const openSql = `
BEGIN ISOLATION LEVEL READ COMMITTED;
SET LOCAL lock_timeout = '5s';
SET LOCAL idle_in_transaction_session_timeout = '5s';
SET LOCAL statement_timeout = '10s'`;
const headSql = `
SELECT pg_advisory_xact_lock(${chainLock});
SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time, head.seq, head.hash
  FROM (SELECT) AS one LEFT JOIN (SELECT seq::text, hash FROM audit_entry ORDER BY audit_entry.seq DESC LIMIT 1) AS head ON true`;

const insertSql = `
WITH appended AS (
  INSERT INTO audit_entry (seq, "time", entry, entry_hash, previous_hash, hash, code, source, action, outcome, action_id,
    actor_name, actor_subject, cluster, namespace, name, evidence_digest)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17))
INSERT INTO change_log (kind, ref, op, cluster, namespace, name) VALUES ('audit', $1::bigint::text, 'upsert', $14, $15, $16)`;

const evidenceSql = "INSERT INTO evidence (digest, content) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING";

/**
 * Appends one entry to the chain in a transaction of its own: gapless seq, the database's time, the evidence row and a
 * change-log row. `within` runs in the same transaction, so that what depends on the entry stands or falls with it.
 * Throws `ServiceError` `audit_unavailable` for every failure: then the caller must not act.
 */
export async function appendAudit({
  pool,
  entry,
  evidence,
  within,
}: {
  pool: Pool;
  entry: AuditDraft;
  evidence?: Evidence;
  within?: (client: PoolClient, appended: AppendedAudit) => Promise<void>;
}): Promise<AppendedAudit> {
  let client: PoolClient | undefined;
  let broken: Error | undefined;
  try {
    client = await pool.connect();
    await client.query(openSql);
    // Before the lock: a large evidence row must not make others wait.
    if (evidence !== undefined) await client.query(evidenceSql, [evidence.digest, evidence.content]);
    const appended = await insertEntry({ client, entry, evidenceDigest: evidence?.digest });
    await within?.(client, appended);
    await client.query("COMMIT");
    return appended;
  } catch (cause) {
    broken = await rollBack(client);
    if (cause instanceof ServiceError) throw cause;
    throw new ServiceError(
      "audit_unavailable",
      "The audit log could not be written, so nothing was done. Try again when the database is back.",
      { cause },
    );
  } finally {
    client?.release(broken);
  }
}

async function insertEntry({
  client,
  entry: draft,
  evidenceDigest,
}: {
  client: PoolClient;
  entry: AuditDraft;
  evidenceDigest: string | undefined;
}): Promise<AppendedAudit> {
  const { head, time } = await readHead(client);
  const entry: AuditEntry = { ...draft, seq: head.seq + 1, time, evidenceDigest };
  const link = computeLink({ head, entry: formatEntryText(entry) });
  const { actor, target } = entry;
  await client.query(insertSql, [
    link.seq,
    time,
    link.entry,
    link.entryHash,
    link.previousHash,
    link.hash,
    ...[entry.code, entry.source, entry.action, entry.outcome, entry.actionId].map(toColumn),
    ...[actor.name, actor.subject, target?.cluster, target?.namespace, target?.name, evidenceDigest].map(toColumn),
  ]);
  return { seq: link.seq, time, hash: link.hash };
}

async function readHead(client: PoolClient): Promise<{ head: ChainHead; time: string }> {
  const results = (await client.query(headSql)) as unknown as QueryResult<{
    time: string;
    seq: string | null;
    hash: string | null;
  }>[];
  const row = results.at(-1)?.rows[0];
  if (row === undefined) throw new Error("the head of the audit chain could not be read");
  const head = row.seq === null || row.hash === null ? emptyChain : { seq: Number(row.seq), hash: row.hash };
  return { head, time: row.time };
}

/** The columns serve filters only, and PostgreSQL's text has no NUL: the hashed entry keeps what was said. */
export function toColumn(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll("\u0000", "\ufffd");
}

/** The error, where the connection is not fit for another use. */
async function rollBack(client: PoolClient | undefined): Promise<Error | undefined> {
  try {
    await client?.query("ROLLBACK");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
