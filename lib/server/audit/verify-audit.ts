import { sql } from "kysely";
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
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables, toColumn } from "#lib/server/platform/db/tables.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** An export buffers the rest of a batch until its reader takes it. */
const batchSize = 250;
/** Evidence rows are large. */
const evidenceBatchSize = 100;

const selectEntries = tables
  .selectFrom("audit_entry")
  .select(["seq", "entry", "entry_hash", "previous_hash", "hash", "code", "source", "action", "outcome", "action_id"])
  .select(["actor_name", "actor_subject", "cluster", "namespace", "kind", "name", "evidence_digest"])
  .select(({ ref }) =>
    sql<string>`to_char(${ref("time")} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`.as("time"),
  )
  .orderBy("audit_entry.seq")
  .limit(batchSize);

type Row = RowOf<typeof selectEntries>;

/**
 * Verifies the chain in the database: every link, the filter columns of lists against the hashed text, and each entry's
 * evidence against its digest. Entries cut off at the end are detected only with `checkpoints`.
 */
export async function verifyAudit({
  client,
  checkpoints = [],
}: {
  client: Connection;
  checkpoints?: readonly ChainHead[];
}): Promise<ChainVerdict> {
  const noted = noteCheckpoints(checkpoints);
  let head = emptyChain;
  const evidence = createEvidenceCheck(client);
  // Entries from before the column was added have none; no entry after one that has it.
  let hasKinds = false;
  for await (const batch of readBatches(client)) {
    await evidence.load(batch);
    for (const row of batch) {
      const link = linkOf(row);
      const reason =
        findBreak({ head, link }) ??
        findColumnBreak(row, { hasKinds }) ??
        evidence.findBreak(row.evidence_digest) ??
        findCheckpointBreak({ noted, link });
      if (reason !== undefined) return { ok: false, entries: head.seq, brokenAt: head.seq + 1, reason };
      head = { seq: link.seq, hash: link.hash };
      hasKinds ||= row.kind !== null;
    }
  }
  return concludeChain({ head, noted });
}

/** Reads the whole chain in order, as an export does. It only grows, so batches by seq fit together. */
export async function* readAuditLinks(client: Connection): AsyncGenerator<ChainLink & { entry: string }> {
  for await (const batch of readBatches(client)) for (const row of batch) yield linkOf(row);
}

async function* readBatches(client: Connection): AsyncGenerator<Row[]> {
  for (let after = "0"; ; ) {
    const rows = await readRows(client, selectEntries.where("seq", ">", after));
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
function createEvidenceCheck(client: Connection): EvidenceCheck {
  const isGood = new Map<string, boolean>();
  return {
    load: async (batch) => {
      const named = new Set(batch.map(({ evidence_digest: digest }) => digest).filter((digest) => digest !== null));
      const unread = [...named].filter((digest) => !isGood.has(digest));
      for (let from = 0; from < unread.length; from += evidenceBatchSize) {
        const rows = await readRows(client, selectEvidence(unread.slice(from, from + evidenceBatchSize)));
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

function selectEvidence(digests: readonly string[]) {
  return tables
    .selectFrom("evidence")
    .select(["digest", "content"])
    .where(({ ref }) => isOneOf(ref("digest"), digests));
}

function linkOf(row: Row): ChainLink & { entry: string } {
  const { entry } = row;
  return { seq: Number(row.seq), previousHash: row.previous_hash, hash: row.hash, entryHash: row.entry_hash, entry };
}

function findColumnBreak(row: Row, { hasKinds }: { hasKinds: boolean }): string | undefined {
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
    ...(hasKinds || row.kind !== null ? { kind: toColumn(entry.target?.kind) } : {}),
    name: toColumn(entry.target?.name),
    evidence_digest: toColumn(entry.evidenceDigest),
  };
  const column = Object.entries(said).find(([key, value]) => row[key as keyof Row] !== value)?.[0];
  return column === undefined ? undefined : `column ${column} is not what the entry says`;
}
