import { z } from "zod";
import type { Approval, ApprovalListQuery } from "#lib/contract/approval.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type ApprovalRow, approvalColumns, serializeApproval } from "#lib/server/services/approvals/approval-row.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { readableSql } from "#lib/server/services/read-scope.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.uuid()]);

/** Lists requests for a second person on rollouts within reach, newest first. */
export async function listApprovals({
  ctx: { runtime, actor },
  input,
}: {
  ctx: ServiceContext;
  input: ApprovalListQuery;
}): Promise<{ items: Approval[]; nextCursor: string | null }> {
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.and(readableSql(sql, actor.rights, { cluster: "p.cluster", namespace: "p.namespace", name: "p.name" }));
  if (input.state !== undefined) sql.and("p.expires_at > now() AND p.action_id IS NULL");
  if (input.state === "pending") sql.and("p.decision IS NULL");
  if (input.state === "open") sql.and("(p.decision IS NULL OR p.decision = 'approved')");
  sql.where(input.cluster, (value) => `p.cluster = ${value}`);
  sql.where(input.namespace, (value) => `p.namespace = ${value}`);
  sql.where(input.name, (value) => `p.name = ${value}`);
  sql.where(after?.[0], (time) => {
    const id = sql.bind(after?.[1]);
    return `p.requested_at <= ${time}::timestamptz AND (p.requested_at < ${time}::timestamptz OR p.id > ${id}::uuid)`;
  });
  const { rows } = await runtime.pool.query<ApprovalRow>(
    `SELECT ${approvalColumns} FROM approval p WHERE ${sql.text()}
     ORDER BY p.requested_at DESC, p.id LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({
    rows,
    limit: input.limit,
    keyOf: (row) => [row.requested_key, row.id],
    toItem: (row) => serializeApproval(row, actor),
  });
}
