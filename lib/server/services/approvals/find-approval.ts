import { z } from "zod";
import { type Connection, readRow } from "#lib/server/db/run-query.ts";
import { type ApprovalRow, selectApprovals } from "#lib/server/services/approvals/approval-row.ts";

export async function findApproval(connection: Connection, id: string): Promise<ApprovalRow | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return readRow(connection, selectApprovals.where("p.id", "=", id));
}
