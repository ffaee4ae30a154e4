import { AuditEntry, type AuditItem } from "#lib/contract/audit.ts";
import { parseEntryText } from "#lib/domain/audit/audit-entry.ts";
import { formatAuditSentence, joinSentence } from "#lib/domain/audit/audit-sentence.ts";
import { ServiceError } from "#lib/server/services/service-error.ts";

/** Columns of `audit_entry a LEFT JOIN action x` that an item is made of. */
export const auditItemColumns = `a.seq::text, a.entry, a.entry_hash, a.previous_hash, a.hash, x.state AS action_state,
  extract(epoch FROM x.effective_at - x.requested_at)::float8 AS effect_seconds`;
export const auditItemTables = "audit_entry a LEFT JOIN action x ON x.id = a.action_id";

export type AuditItemRow = {
  seq: string;
  entry: string;
  entry_hash: string;
  previous_hash: string;
  hash: string;
  action_state: string | null;
  effect_seconds: number | null;
};

/** What is shown is what was hashed: everything but the hashes is read from the entry's text. */
export function serializeAuditItem(row: AuditItemRow): AuditItem {
  const entry = parseEntryText(row.entry);
  if (entry === undefined)
    throw new ServiceError(
      "internal",
      `Audit entry ${row.seq} cannot be read. Verify the chain: gatehouse audit verify.`,
    );
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
    effect: row.action_state === null ? null : { state: row.action_state, seconds: row.effect_seconds },
  };
}
