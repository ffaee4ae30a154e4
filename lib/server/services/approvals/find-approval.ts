import type { Pool } from "pg";
import { z } from "zod";
import { type ApprovalRow, approvalColumns } from "#lib/server/services/approvals/approval-row.ts";

export async function findApproval(pool: Pool, id: string): Promise<ApprovalRow | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  const { rows } = await pool.query<ApprovalRow>(`SELECT ${approvalColumns} FROM approval p WHERE p.id = $1`, [id]);
  return rows[0];
}
