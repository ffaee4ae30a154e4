import { z } from "zod";
import { type ApprovalRow, selectApprovals } from "#lib/server/acting/approvals/approval-row.ts";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";

export async function findApproval(connection: Connection, id: string): Promise<ApprovalRow | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return readRow(connection, selectApprovals.where("p.id", "=", id));
}
