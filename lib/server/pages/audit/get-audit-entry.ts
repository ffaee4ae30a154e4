import type { AuditDetail } from "#lib/contract/audit.ts";
import { emptyChain, findBreak } from "#lib/domain/audit/audit-chain.ts";
import { isClusterAdmin } from "#lib/domain/policy/rights.ts";
import { findOverriddenRun, judgeEvidence } from "#lib/server/acting/act/judge-evidence.ts";
import { isReadableAudit } from "#lib/server/pages/audit/readable-audit.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { selectAuditItems, serializeAuditItem } from "#lib/server/records/audit-item.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** The intent of an outcome, with its evidence. */
const intents = tables
  .selectFrom("audit_entry as n")
  .leftJoin("evidence as ne", "ne.digest", "n.evidence_digest")
  .select("ne.content")
  .where("n.outcome", "=", "intent")
  .orderBy("n.seq")
  .limit(1);

const selectDetails = selectAuditItems
  .leftJoin("evidence as e", "e.digest", "a.evidence_digest")
  .leftJoinLateral(
    (eb) => intents.where("n.action_id", "=", eb.ref("a.action_id")).where("n.seq", "<", eb.ref("a.seq")).as("i"),
    (join) => join.onTrue(),
  )
  .leftJoin("unasked_change as d", (join) =>
    join.on((eb) => eb.or([eb("d.audit_seq", "=", eb.ref("a.seq")), eb("d.attributed_seq", "=", eb.ref("a.seq"))])),
  )
  .leftJoin("kubernetes_audit_event as k", "k.id", "d.audit_event_id")
  .select(["k.audit_id", "k.cluster as audit_cluster", "k.stage_at", "k.username", "k.user_groups"])
  .select(["k.impersonated_by", "k.user_agent", "k.source_ips"])
  .select(["e.content as evidence", "i.content as intent_evidence"])
  .select((eb) =>
    eb
      .selectFrom("audit_entry as b")
      .select("b.hash")
      .where("b.seq", "=", eb("a.seq", "-", "1"))
      .as("before_hash"),
  );

type Row = RowOf<typeof selectDetails>;

/**
 * Returns one entry with its hashed text, its evidence and whether its own links are valid: to the entry before it, and
 * from its evidence to its digest. An outcome carries the evidence of its intent. The whole chain is verified
 * elsewhere. Throws `not_found`.
 */
export async function getAuditEntry({ ctx, input }: Call<{ seq: number }>): Promise<AuditDetail> {
  const seq = String(Math.min(input.seq, Number.MAX_SAFE_INTEGER));
  const row = await readRow(
    ctx.runtime.pool,
    selectDetails.where((eb) => allOf([eb("a.seq", "=", seq), isReadableAudit(ctx.actor)])),
  );
  if (row === undefined) throw new ServiceError("not_found", `There is no audit entry ${input.seq}.`);
  const item = serializeAuditItem(row);
  const evidence = parseEvidence(row.evidence ?? row.intent_evidence);
  return {
    ...item,
    entry: row.entry,
    evidence,
    metrics: judgeEvidence(evidence, item.target?.kind, ctx.runtime.config().config.units),
    overridden: await findOverriddenRun(ctx, item),
    request: isClusterAdmin(ctx.actor.rights, row.audit_cluster ?? "") ? describeRequest(row) : null,
    linkOk: isLinkOk(row, item),
  };
}

/** Returns the request behind a change, as far as its row still exists. */
function describeRequest(row: Row): AuditDetail["request"] {
  const { audit_id: auditId, stage_at: at, username, user_agent: userAgent } = row;
  if (auditId === null || at === null || username === null || userAgent === null) return null;
  return {
    ...{ auditId, at: at.toISOString(), username, userAgent, impersonatedBy: row.impersonated_by },
    groups: row.user_groups ?? [],
    sourceAddresses: row.source_ips ?? [],
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
