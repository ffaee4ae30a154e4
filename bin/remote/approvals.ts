import { countOfApprovals, nameApproversOf, nameWithUsername } from "#lib/client/describe-approval.ts";
import { formatCoarsely } from "#lib/client/format-duration.ts";
import type { Approval } from "#lib/contract/approval.ts";
import { formatChoice } from "#lib/domain/policy/count-approvals.ts";
import type { RemoteApi } from "./api.ts";
import { formatTable } from "./format.ts";
import { readAll } from "./rollouts.ts";

/** Reads the requests for approval that are pending, or approved and not used. */
export function readOpenRequests(
  api: RemoteApi,
  place: { cluster?: string | undefined; namespace?: string; name?: string },
): Promise<Approval[]> {
  return readAll<Approval>(api, "/api/v1/approvals", { state: "open", ...place });
}

const requestHeads = ["ROLLOUT", "REQUEST", "BY", "APPROVED", "CAN STILL APPROVE", "EXPIRES IN", "ID"];

/** Formats open requests for approval and proposals of agents: how many approved of how many, who, and the groups that can still approve. */
export function formatRequests(requests: readonly Approval[], nowMs: number): string {
  if (requests.length === 0) return "";
  const rows = requests.map((request) => {
    const { rollout, action, agent, requestedBy, requestedByUsername, rules, expiresAt, id } = request;
    const requester = nameWithUsername(requestedBy, requestedByUsername);
    const names = nameApproversOf(request);
    const groups = rules.filter(({ approved, approvers }) => approved < approvers).flatMap((rule) => rule.groups);
    return [
      `${rollout.namespace}/${rollout.name}`,
      action,
      agent === null ? requester : `agent ${agent.name} for ${requester}`,
      `${countOfApprovals(request)}${names === "" ? "" : `: ${names}`}`,
      groups.length === 0 ? "-" : formatChoice([...new Set(groups)]),
      formatCoarsely(Date.parse(expiresAt) - nowMs),
      id,
    ];
  });
  return `\nRequests for approval:\n${formatTable(requestHeads, rows)}`;
}
