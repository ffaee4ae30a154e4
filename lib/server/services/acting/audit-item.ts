import { AuditEntry, type AuditItem } from "#lib/contract/audit.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";

/** Columns of `audit_entry a LEFT JOIN action x` for one item. */
export const auditItemColumns = `a.seq::text, to_char(a.time AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, a.entry, a.entry_hash, a.previous_hash, a.hash, x.state AS action_state, x.effect_why,
  extract(epoch FROM x.effective_at - x.requested_at)::float8 AS effect_seconds`;
export const auditItemTables = "audit_entry a LEFT JOIN action x ON x.id = a.action_id";

export type AuditItemRow = {
  seq: string;
  /** The time column, for entries whose text no longer gives the time. */
  at: string;
  entry: string;
  entry_hash: string;
  previous_hash: string;
  hash: string;
  action_state: string | null;
  effect_seconds: number | null;
  effect_why: string | null;
};

/**
 * Returns what was hashed: everything except the hashes is read from the entry's text. If a text is no longer an entry,
 * it was tampered with: the item says so, and the others stay readable.
 */
export function serializeAuditItem(row: AuditItemRow): AuditItem {
  const entry = parseEntryText(row.entry);
  if (entry === undefined) return unreadableItem(row);
  const parts = formatAuditSentence(entry);
  return {
    ...AuditEntry.parse({
      ...entry,
      entryHash: row.entry_hash,
      previousHash: row.previous_hash,
      hash: row.hash,
    }),
    sentence: joinSentence(parts),
    parts,
    effect:
      row.action_state === null ? null : { state: row.action_state, seconds: row.effect_seconds, why: row.effect_why },
  };
}

function unreadableItem({ seq, at, entry_hash, previous_hash, hash }: AuditItemRow): AuditItem {
  const sentence = `Entry ${seq} cannot be read: its text was changed. Verify the chain: gatehouse audit verify.`;
  return {
    seq: Number(seq),
    time: at,
    actor: { type: "unknown", name: "unknown" },
    source: "system",
    code: "unreadable",
    requestId: "",
    entryHash: entry_hash,
    previousHash: previous_hash,
    hash,
    sentence,
    parts: [{ text: sentence, strong: true }],
    effect: null,
  };
}
