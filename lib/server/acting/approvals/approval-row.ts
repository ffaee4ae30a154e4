import { z } from "zod";
import type { ApprovalState } from "#lib/contract/approval.ts";
import { requestKeyOf } from "#lib/domain/acting/action-params.ts";
import { transactionTime } from "#lib/server/platform/db/database-time.ts";
import { type Connection, type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { readStoredRequest } from "#lib/server/records/stored-request.ts";

const { ref: ofApproval } = fragment<{ p: "approval" }>();

/** `open`: the approvals decide, by the current config. */
type StoredState = Exclude<ApprovalState, "pending" | "approved"> | "open";

/** Selects the token of the agent that made the proposal, unless it is revoked or has expired. */
const usableToken = tables
  .selectFrom("api_token as t")
  .select("t.id")
  .whereRef("t.id", "=", ofApproval("p.agent_id"))
  .where("t.revoked_at", "is", null)
  .where(({ eb, or }) => or([eb("t.expires_at", "is", null), eb("t.expires_at", ">", transactionTime)]));

/** Selects approvals; the state is judged by the database's clock. */
export const selectApprovals = tables
  .selectFrom("approval as p")
  .select(["p.id", "p.rollout_id", "p.cluster", "p.namespace", "p.kind", "p.name", "p.action", "p.params", "p.uid"])
  .select(["p.view_digest", "p.rule", "p.reason", "p.requested_by", "p.requested_by_name", "p.requested_username"])
  .select(["p.requested_at", "p.expires_at", "p.decision", "p.decided_by", "p.decided_by_name", "p.decided_username"])
  .select(["p.target_version", "p.votes", "p.decided_at", "p.decision_reason", "p.action_id"])
  .select(["p.also_actions", "p.passes_pauses", "p.agent_id", "p.agent_name"])
  .select(({ and, case: choose, cast, eb, exists, not, ref, selectFrom }) => [
    cast<string>("p.requested_at", "text").as("requested_key"),
    choose()
      .when("p.action_id", "is not", null)
      .then<StoredState>("used")
      .when("p.decision", "=", "rejected")
      .then<StoredState>("rejected")
      .when("p.decision", "=", "withdrawn")
      .then<StoredState>("withdrawn")
      .when("p.expires_at", "<=", transactionTime)
      .then<StoredState>("expired")
      // Whoever stops an agent stops what it has asked for.
      .when(and([eb("p.agent_id", "is not", null), not(exists(usableToken))]))
      .then<StoredState>("withdrawn")
      // The rollout is no longer as the agent saw it.
      .when(
        and([
          eb("p.agent_id", "is not", null),
          eb(
            selectFrom("rollout as r").select("r.view_digest").whereRef("r.id", "=", "p.rollout_id"),
            "is distinct from",
            ref("p.view_digest"),
          ),
        ]),
      )
      .then<StoredState>("superseded")
      .else<StoredState>("open")
      .end()
      .as("state"),
  ]);

export type ApprovalRow = RowOf<typeof selectApprovals>;

export async function findApproval(connection: Connection, id: string): Promise<ApprovalRow | undefined> {
  if (!z.uuid().safeParse(id).success) return undefined;
  return readRow(connection, selectApprovals.where("p.id", "=", id));
}

/** Whether it is an agent's proposal: whoever approves it acts. */
export function isProposal({ agent_id }: Pick<ApprovalRow, "agent_id">): boolean {
  return agent_id !== null;
}

/** Explains why a proposal cannot be accepted. */
export function explainClosed(row: Pick<ApprovalRow, "state"> | undefined): string {
  if (row?.state === "superseded") return "The rollout has changed since the agent looked at it: nothing was done.";
  return `The proposal is ${row?.state ?? "gone"}: nothing was done.`;
}

/** Identifies what the approval covers; it covers nothing else. */
export function approvalKeyOf(row: Pick<ApprovalRow, "action" | "params">): string {
  const { params, subject } = readStoredRequest(row);
  return requestKeyOf({ action: row.action, params, subject: subject ?? undefined });
}
