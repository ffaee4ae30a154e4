import type { QueryResult } from "pg";
import { z } from "zod";
import {
  type ChainHead,
  type ChainLink,
  type ChainVerdict,
  emptyChain,
  findBreak,
} from "#lib/domain/audit/audit-chain.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { toColumn } from "#lib/server/audit/append-audit.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** A pool or a connection. */
export type Queryable = { query(sql: string, values?: unknown[]): Promise<QueryResult> };

const batchSize = 2000;

const Row = z.object({
  seq: z.coerce.number(),
  time: z.string(),
  entry: z.string(),
  entry_hash: z.string(),
  previous_hash: z.string(),
  hash: z.string(),
  code: z.string(),
  source: z.string(),
  action: z.string().nullable(),
  outcome: z.string().nullable(),
  action_id: z.string().nullable(),
  actor_name: z.string(),
  actor_subject: z.string().nullable(),
  cluster: z.string().nullable(),
  namespace: z.string().nullable(),
  name: z.string().nullable(),
  evidence_digest: z.string().nullable(),
  evidence: z.string().nullable(),
});
type Row = z.infer<typeof Row>;

const batchSql = `SELECT a.seq::text, to_char(a.time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time,
    a.entry, a.entry_hash, a.previous_hash, a.hash, a.code, a.source, a.action, a.outcome, a.action_id::text,
    a.actor_name, a.actor_subject, a.cluster, a.namespace, a.name, a.evidence_digest, e.content AS evidence
  FROM audit_entry a LEFT JOIN evidence e ON e.digest = a.evidence_digest
  WHERE a.seq > $1::bigint ORDER BY a.seq LIMIT ${batchSize}`;

/**
 * Verifies the chain in the database: every link, the columns that lists are filtered by against the hashed text, and
 * each entry's evidence against its digest. What was cut off at the end shows only against a `checkpoint`.
 */
export async function verifyAudit({
  client,
  checkpoint,
}: {
  client: Queryable;
  checkpoint?: ChainHead;
}): Promise<ChainVerdict> {
  let head = emptyChain;
  // Evidence is shared between entries; what was hashed once need not be hashed again.
  const goodEvidence = new Set<string>();
  for await (const row of readRows(client)) {
    const link = linkOf(row);
    const reason = findBreak({ head, link }) ?? findRowBreak({ row, goodEvidence }) ?? findOther({ checkpoint, link });
    if (reason !== undefined) return { ok: false, entries: head.seq, brokenAt: head.seq + 1, reason };
    head = { seq: link.seq, hash: link.hash };
  }
  if (checkpoint !== undefined && checkpoint.seq > head.seq)
    return {
      ok: false,
      entries: head.seq,
      brokenAt: head.seq + 1,
      reason: `the chain ends here, a checkpoint knows entry ${checkpoint.seq}`,
    };
  return { ok: true, entries: head.seq };
}

/** The whole chain in order, as an export gives it. It only grows, so batches by seq fit together. */
export async function* readAuditLinks(client: Queryable): AsyncGenerator<ChainLink & { entry: string }> {
  for await (const row of readRows(client)) yield linkOf(row);
}

async function* readRows(client: Queryable): AsyncGenerator<Row> {
  for (let after = 0; ; ) {
    const { rows } = await client.query(batchSql, [after]);
    for (const row of rows) yield Row.parse(row);
    if (rows.length < batchSize) return;
    after = Number(rows.at(-1)?.seq);
  }
}

function linkOf(row: Row): ChainLink & { entry: string } {
  const { seq, entry } = row;
  return { seq, previousHash: row.previous_hash, hash: row.hash, entryHash: row.entry_hash, entry };
}

function findRowBreak({ row, goodEvidence }: { row: Row; goodEvidence: Set<string> }): string | undefined {
  const entry = parseEntryText(row.entry);
  if (entry === undefined) return "the entry is no entry";
  const said: Partial<Row> = {
    time: entry.time,
    code: entry.code,
    source: entry.source,
    action: toColumn(entry.action),
    outcome: toColumn(entry.outcome),
    action_id: toColumn(entry.actionId),
    actor_name: toColumn(entry.actor.name) ?? "",
    actor_subject: toColumn(entry.actor.subject),
    cluster: toColumn(entry.target?.cluster),
    namespace: toColumn(entry.target?.namespace),
    name: toColumn(entry.target?.name),
    evidence_digest: toColumn(entry.evidenceDigest),
  };
  const column = Object.entries(said).find(([key, value]) => row[key as keyof Row] !== value)?.[0];
  if (column !== undefined) return `column ${column} is not what the entry says`;
  if (row.evidence_digest === null || goodEvidence.has(row.evidence_digest)) return undefined;
  if (row.evidence === null) return "its evidence is missing";
  if (sha256Hex(row.evidence) !== row.evidence_digest) return "its evidence was changed";
  goodEvidence.add(row.evidence_digest);
  return undefined;
}

function findOther({ checkpoint, link }: { checkpoint?: ChainHead; link: ChainLink }): string | undefined {
  return checkpoint?.seq === link.seq && checkpoint.hash !== link.hash
    ? "hash is not the one that the checkpoint noted"
    : undefined;
}
