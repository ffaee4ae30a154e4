import { describeScope } from "#components/ui/describe-scope.ts";
import { formatDuration } from "#components/ui/format-time.ts";
import type { AdminPolicy } from "#lib/contract/admin-policies.ts";
import { formatList } from "#lib/util/format-list.ts";

/** Says in a sentence what a policy demands, and where. */
export function describePolicy(policy: AdminPolicy): string {
  const where = describeScope(policy.scope);
  const actions = policy.actions.includes("*") ? undefined : formatList(policy.actions);
  const also = policy.includeProtective === true ? "abort and pause included" : "abort and pause excepted";
  if (policy.kind === "reason") {
    const what = actions ?? "every action";
    return policy.required === true
      ? `A reason is required for ${what} ${where}.`
      : `No reason is required for ${what} ${where}.`;
  }
  const subject = actions === undefined ? `Every action (${also})` : `${capitalise(actions)} (${also})`;
  if (policy.kind === "freeze")
    return `${subject} ${where} is frozen for ${policy.duration} from each start: ${policy.start} by the clock of ${policy.timeZone}.`;
  const minutes = formatDuration((policy.expireMinutes ?? 0) * 60_000);
  const robots = policy.robotsMayAsk === true ? "Robots may request it." : "Robots may not request it.";
  return `${subject} ${where} requires another person's approval, which holds for ${minutes}. ${robots}`;
}

function capitalise(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Says how often a policy was felt; undefined if the log does not tell. */
export function describeCounts({ kind, counts }: AdminPolicy): string | undefined {
  if (counts === null) return undefined;
  const times = (count: number) => (count === 0 ? "never" : count === 1 ? "once" : `${count} times`);
  const refused = `refused ${times(counts.refused)}`;
  if (kind === "freeze") return `${refused}, broken ${times(counts.broken ?? 0)}`;
  return `${refused}, approval requested ${times(counts.requested ?? 0)} and given ${times(counts.approved ?? 0)}`;
}
