import { mayAct } from "#lib/domain/policy/rights.ts";
import type { ApprovalRow } from "#lib/server/acting/approvals/approval-row.ts";
import type { ActingContext } from "#lib/server/acting/permission/acting-context.ts";
import { deriveRights } from "#lib/server/people/auth/derive-rights.ts";
import { parseActorKey } from "#lib/server/platform/actor/actor.ts";

/**
 * Returns whether the approver could perform every action themselves under the current config. Their groups are those
 * of the session in which they approved. False for approvals from before groups were stored.
 */
export function approverMayAct({
  runtime,
  row,
  actions,
}: {
  runtime: Pick<ActingContext["runtime"], "config" | "localAccounts">;
  row: ApprovalRow;
  actions: readonly string[];
}): boolean {
  if (row.decided_by === null || row.decided_username === null) return false;
  const identity = {
    ...parseActorKey(row.decided_by),
    username: row.decided_username,
    groups: row.decided_groups ?? [],
  };
  const { auth } = runtime.config().config;
  const rights = deriveRights({ subject: { identity }, auth, localAccounts: runtime.localAccounts });
  return rights !== undefined && actions.every((action) => mayAct(rights, { action, target: row }));
}
