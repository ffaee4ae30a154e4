import type { QueryResult } from "pg";
import {
  type ChainHead,
  type ChainLink,
  type ChainVerdict,
  concludeChain,
  emptyChain,
  findBreak,
  findCheckpointBreak,
  noteCheckpoints,
} from "#lib/domain/audit/audit-chain.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** A pool or a connection. */
export type Queryable = { query(sql: string, values?: unknown[]): Promise<QueryResult> };

/** An export buffers the rest of a batch until its reader takes it. */
const batchSize = 250;
/** Evidence rows are large. */
const evidenceBatchSize = 100;

type Row = {
  seq: string;
  time: string;
  entry: string;
  entry_hash: string;
  previous_hash: string;
  hash: string;
  code: string;
  source: string;
  action: string | null;
  outcome: string | null;
  action_id: string | null;
  actor_name: string;
  actor_subject: string | null;
  cluster: string | null;
  namespace: string | null;
  name: string | null;
  evidence_digest: string | null;
};

const batchSql = `SELECT seq::text, to_char(time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS time, entry,
    entry_hash, previous_hash, hash, code, source, action, outcome, action_id::text, actor_name, actor_subject, cluster,
    namespace, name, evidence_digest
  FROM audit_entry WHERE audit_entry.seq > $1::bigint ORDER BY audit_entry.seq LIMIT ${batchSize}`;
const evidenceSql = "SELECT digest, content FROM evidence WHERE digest = ANY ($1)";

/**
 * Verifies the chain in the database: every link, the filter columns of lists against the hashed text, and each entry's
 * evidence against its digest. Entries cut off at the end are detected only with `checkpoints`.
 */
export async function verifyAudit({
  client,
  checkpoints = [],
}: {
  client: Queryable;
  checkpoints?: readonly ChainHead[];
}): Promise<ChainVerdict> {
  const noted = noteCheckpoints(checkpoints);
  let head = emptyChain;
  const evidence = createEvidenceCheck(client);
  for await (const batch of readBatches(client)) {
    await evidence.load(batch);
    for (const row of batch) {
      const link = linkOf(row);
      const reason =
        findBreak({ head, link }) ??
        findColumnBreak(row) ??
        evidence.findBreak(row.evidence_digest) ??
        findCheckpointBreak({ noted, link });
      if (reason !== undefined) return { ok: false, entries: head.seq, brokenAt: head.seq + 1, reason };
      head = { seq: link.seq, hash: link.hash };
    }
  }
  return concludeChain({ head, noted });
}

/** Reads the whole chain in order, as an export does. It only grows, so batches by seq fit together. */
export async function* readAuditLinks(client: Queryable): AsyncGenerator<ChainLink & { entry: string }> {
  for await (const batch of readBatches(client)) for (const row of batch) yield linkOf(row);
}

async function* readBatches(client: Queryable): AsyncGenerator<Row[]> {
  for (let after = "0"; ; ) {
    const rows: Row[] = (await client.query(batchSql, [after])).rows;
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = last.seq;
  }
}

type EvidenceCheck = {
  load(batch: readonly Row[]): Promise<void>;
  findBreak(digest: string | null): string | undefined;
};

/** Checks evidence, which entries share: each is read and hashed once. */
function createEvidenceCheck(client: Queryable): EvidenceCheck {
  const isGood = new Map<string, boolean>();
  return {
    load: async (batch) => {
      const named = new Set(batch.map(({ evidence_digest: digest }) => digest).filter((digest) => digest !== null));
      const unread = [...named].filter((digest) => !isGood.has(digest));
      for (let from = 0; from < unread.length; from += evidenceBatchSize) {
        const { rows } = await client.query(evidenceSql, [unread.slice(from, from + evidenceBatchSize)]);
        for (const { digest, content } of rows) isGood.set(digest, sha256Hex(content) === digest);
      }
    },
    findBreak: (digest) => {
      if (digest === null) return undefined;
      const good = isGood.get(digest);
      if (good === undefined) return "its evidence is missing";
      return good ? undefined : "its evidence was changed";
    },
  };
}

function linkOf(row: Row): ChainLink & { entry: string } {
  const { entry } = row;
  return { seq: Number(row.seq), previousHash: row.previous_hash, hash: row.hash, entryHash: row.entry_hash, entry };
}

function findColumnBreak(row: Row): string | undefined {
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
  return column === undefined ? undefined : `column ${column} is not what the entry says`;
}
