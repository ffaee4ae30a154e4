import type { AuditDetail } from "#lib/contract/audit.ts";
import { emptyChain, findBreak } from "#lib/domain/audit/audit-chain.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import {
  type AuditItemRow,
  auditItemColumns,
  auditItemTables,
  serializeAuditItem,
} from "#lib/server/services/acting/audit-item.ts";
import { readableAuditSql } from "#lib/server/services/acting/readable-audit.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

type Row = AuditItemRow & {
  before_hash: string | null;
  evidence: string | null;
  intent_seq: string | null;
  intent_evidence: string | null;
};

/**
 * Returns one entry with its hashed text, its evidence and whether its own links are valid: to the entry before it, and
 * from its evidence to its digest. An outcome carries the evidence of its intent. The whole chain is verified
 * elsewhere. Throws `not_found`.
 */
export async function getAuditEntry({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: { seq: number };
}): Promise<AuditDetail> {
  const sql = createSqlConditions();
  sql.where(Math.min(input.seq, Number.MAX_SAFE_INTEGER), (value) => `a.seq = ${value}`);
  sql.and(readableAuditSql(sql, ctx.actor));
  const { rows } = await ctx.runtime.pool.query<Row>(
    `SELECT ${auditItemColumns}, e.content AS evidence, i.seq::text AS intent_seq, i.content AS intent_evidence,
       (SELECT b.hash FROM audit_entry b WHERE b.seq = a.seq - 1) AS before_hash
     FROM ${auditItemTables} LEFT JOIN evidence e ON e.digest = a.evidence_digest
       LEFT JOIN LATERAL (
         SELECT n.seq, ne.content FROM audit_entry n LEFT JOIN evidence ne ON ne.digest = n.evidence_digest
         WHERE n.action_id = a.action_id AND n.outcome = 'intent' AND n.seq < a.seq ORDER BY n.seq LIMIT 1
       ) i ON true
     WHERE ${sql.text()}`,
    sql.values,
  );
  const [row] = rows;
  if (row === undefined) throw new ServiceError("not_found", `There is no audit entry ${input.seq}.`);
  const item = serializeAuditItem(row);
  return {
    ...item,
    entry: row.entry,
    evidence: parseEvidence(row.evidence ?? row.intent_evidence),
    intentSeq: row.intent_seq === null ? null : Number(row.intent_seq),
    linkOk: isLinkOk(row, item),
  };
}

function isLinkOk(row: Row, { evidenceDigest }: { evidenceDigest?: string }): boolean {
  const seq = Number(row.seq);
  const head = seq === 1 ? emptyChain : { seq: seq - 1, hash: row.before_hash ?? "" };
  const { previous_hash: previousHash, entry_hash: entryHash, hash, entry } = row;
  if (findBreak({ head, link: { seq, previousHash, hash, entryHash, entry } }) !== undefined) return false;
  return evidenceDigest === undefined || (row.evidence !== null && sha256Hex(row.evidence) === evidenceDigest);
}

function parseEvidence(content: string | null): unknown {
  try {
    return content === null ? null : JSON.parse(content);
  } catch {
    return content;
  }
}
