import type { PoolClient } from "pg";
import type { AcknowledgeFindingRequest, FindingDetail } from "#lib/contract/finding.ts";
import { auditTargetOf } from "#lib/domain/audit/audit-entry.ts";
import { appendChange } from "#lib/server/audit/append-audit.ts";
import { countFindings } from "#lib/server/oversight/count-findings.ts";
import { assertMayAcknowledge } from "#lib/server/oversight/findings/acknowledge.ts";
import type { StoreCall, StoreContext } from "#lib/server/platform/actor/actor.ts";
import { actorKey } from "#lib/server/platform/actor/actor.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import { logChange, logRolloutChange } from "#lib/server/platform/db/log-change.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { toColumn } from "#lib/server/platform/db/tables.ts";
import type { FindingRow } from "./finding-row.ts";
import { describeFinding, findFinding } from "./get-findings.ts";

type ById = { id: string };

/**
 * Marks a finding as seen by a person, until it closes or becomes more severe. Throws `forbidden` without the right, and
 * `conflict` if it is closed or acknowledged already.
 */
export async function acknowledgeFinding({
  ctx,
  input,
}: StoreCall<ById & AcknowledgeFindingRequest>): Promise<FindingDetail> {
  const row = await findFinding(ctx, input.id);
  assertMayAcknowledge(ctx, row);
  const { actor } = ctx;
  await change({
    ctx,
    row,
    code: "finding.acknowledge",
    reason: input.reason,
    work: async (tx) => {
      const now = await readDatabaseTime(tx);
      const { count } = await prismaOn(tx).finding.updateMany({
        where: { id: row.id, severity: row.severity, closedAt: null, acknowledgedAt: null },
        data: {
          acknowledgedAt: now,
          acknowledgedBy: toColumn(actorKey(actor)),
          acknowledgedByName: toColumn(actor.name),
          acknowledgeReason: toColumn(input.reason),
          updatedAt: now,
        },
      });
      if (count === 0)
        throw new ServiceError("conflict", "The finding is closed, acknowledged, or has changed. Look at it again.");
    },
  });
  return describeFinding(ctx, await findFinding(ctx, row.id));
}

/** Withdraws an acknowledgement, no matter whose. Throws `conflict` if the finding has none or is closed. */
export async function withdrawFindingAcknowledgement({ ctx, input }: StoreCall<ById>): Promise<FindingDetail> {
  const row = await findFinding(ctx, input.id);
  assertMayAcknowledge(ctx, row);
  await change({
    ctx,
    row,
    code: "finding.withdraw",
    work: async (tx) => {
      const nobody = { acknowledgedBy: null, acknowledgedByName: null, acknowledgeReason: null };
      const { count } = await prismaOn(tx).finding.updateMany({
        where: { id: row.id, closedAt: null, acknowledgedAt: { not: null } },
        data: { ...nobody, acknowledgedAt: null, updatedAt: await readDatabaseTime(tx) },
      });
      if (count === 0) throw new ServiceError("conflict", "This finding is not acknowledged, or it is closed.");
    },
  });
  return describeFinding(ctx, await findFinding(ctx, row.id));
}

/** Writes the audit entry and the change in one transaction, and notifies open pages. */
async function change({
  ctx,
  row,
  code,
  reason,
  work,
}: {
  ctx: StoreContext;
  row: FindingRow;
  code: string;
  reason?: string;
  work: (tx: PoolClient) => Promise<void>;
}): Promise<void> {
  const { cluster, namespace, kind, name } = row;
  await appendChange(ctx, {
    code,
    target: auditTargetOf(row),
    ...(reason === undefined ? {} : { reason }),
    detail: { finding: row.id, rule: row.rule, title: row.title },
    within: async (tx) => {
      await work(tx);
      await logChange(tx, { kind: "finding", ref: row.id, cluster, namespace, object_kind: kind, name });
      if (row.rollout_id !== null && (await countFindings(tx, row.rollout_id))) await logRolloutChange(tx, row);
    },
  });
}
