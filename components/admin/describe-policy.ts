import { describeScope } from "#components/ui/describe-scope.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { AdminPolicy } from "#lib/contract/admin-policies.ts";
import { formatList } from "#lib/util/format-list.ts";

/** Says in a sentence what a policy demands, and where. */
export function describePolicy(policy: AdminPolicy): string {
  const where = describeScope(policy.scope);
  const what = describeActions(policy);
  if (policy.kind === "reason")
    return policy.required === true
      ? `Requires a reason for ${what} ${where}.`
      : `Requires no reason for ${what} ${where}.`;
  if (policy.kind === "freeze")
    return `Freezes ${what} ${where}, for ${policy.duration} from each start (${policy.start}, by the clock of ${policy.timeZone}).`;
  const minutes = formatDuration((policy.expireMinutes ?? 0) * 60_000);
  const robots = policy.robotsMayAsk === true ? "Robots may request it." : "Robots may not request it.";
  return `Requires another person's approval for ${what} ${where}. It holds for ${minutes}. ${robots}`;
}

/** Names the actions. Protective ones are meant only if a policy says so; rules about reasons mean them always. */
function describeActions({ kind, actions, includeProtective }: AdminPolicy): string {
  const named = actions.includes("*") ? "every action" : formatList(actions);
  if (kind === "reason") return named;
  if (includeProtective === true) return `${named}, abort and pause included,`;
  return actions.some((pattern) => pattern.includes("*")) ? `${named} except abort and pause` : named;
}

/** Says how often a policy was felt; undefined if the log does not tell. */
export function describeCounts({ kind, counts }: AdminPolicy): string | undefined {
  if (counts === null) return undefined;
  const refused = count(counts.refused, "refusal", "refusals");
  if (kind === "freeze") return `${refused}, ${count(counts.broken ?? 0, "break-glass action", "break-glass actions")}`;
  const requested = count(counts.requested ?? 0, "approval requested", "approvals requested");
  return `${refused}, ${requested}, ${counts.approved ?? 0} given`;
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? `no ${many}` : `${number} ${number === 1 ? one : many}`;
}
