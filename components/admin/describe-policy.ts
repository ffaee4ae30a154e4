import { formatDuration } from "#lib/client/format-duration.ts";
import type { AdminPolicy } from "#lib/contract/admin.ts";
import { actionNames, entryOf, isProtective } from "#lib/domain/acting/action-catalogue.ts";
import { nameApproval } from "#lib/domain/policy/count-approvals.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { makeSampleTicket } from "#lib/domain/policy/ticket-pattern.ts";
import { formatList } from "#lib/util/words.ts";

/** Describes in a sentence what a policy demands, and where. */
export function describePolicy(policy: AdminPolicy): string {
  const where = describeScope(policy.scope);
  // Rules about reasons always include protective actions.
  if (policy.kind === "reason") {
    const reason = `Requires ${policy.required === true ? "a" : "no"} reason for ${nameActions(policy.actions)} ${where}.`;
    return policy.ticket === null ? reason : `${reason} ${describeTicket(policy.ticket)}`;
  }
  const what = describeActions(policy);
  if (policy.kind === "freeze") {
    const times = `for ${policy.duration} from each start (cron ${policy.start}, ${policy.timeZone})`;
    return policy.outside === true
      ? `Freezes ${what} ${where} unless a release window for them is open. This one is open ${times}.`
      : `Freezes ${what} ${where}, ${times}.`;
  }
  const minutes = formatDuration((policy.expireMinutes ?? 0) * 60_000);
  const robots = policy.robotsMayAsk === true ? "Robots may request it." : "Robots may not request it.";
  const approval = nameApproval({ approvers: policy.approvers ?? 1, groups: policy.approverGroups ?? [] });
  return `Requires ${approval} for ${what} ${where}. It is valid for ${minutes}. ${robots}`;
}

function describeTicket({ name, pattern, checked }: NonNullable<AdminPolicy["ticket"]>): string {
  const sample = `a ticket such as ${makeSampleTicket(pattern)} (${name}: ${pattern})`;
  const rest = checked ? ", which another system checks at the click" : "";
  return `The reason must name ${sample}${rest}, unless the action is protective.`;
}

/** Names the actions. Protective ones are included only if the rule says so. */
export function describeActions({
  actions,
  includeProtective,
}: Pick<AdminPolicy, "actions" | "includeProtective">): string {
  const named = nameActions(actions);
  const protective = actionNames.filter((name) => isProtective(name) && matchesAny(actions, name));
  if (protective.length === 0) return named;
  const words = formatList(protective.map((name) => entryOf(name).word));
  return includeProtective === true ? `${named}, ${words} included,` : `${named} except ${words}`;
}

function nameActions(actions: readonly string[]): string {
  return actions.includes("*") ? "every action" : formatList(actions);
}

/**
 * Describes how often a policy took effect, or would have if it is observed; undefined if the log cannot tell such rules
 * apart.
 */
export function describeCounts({ kind, mode, counts }: AdminPolicy): string | undefined {
  if (counts === null) return undefined;
  if (mode === "observe") return describeObserved(kind, counts.observed);
  const refused = count(counts.refused, "refusal", "refusals");
  if (kind === "freeze") return `${refused}, ${count(counts.broken ?? 0, "break-glass action", "break-glass actions")}`;
  const requested = count(counts.requested ?? 0, "approval requested", "approvals requested");
  return `${refused}, ${requested}, ${(counts.approved ?? 0) === 0 ? "none" : counts.approved} given`;
}

function describeObserved(kind: AdminPolicy["kind"], observed: number): string {
  const actions = count(observed, "action", "actions");
  if (kind === "freeze") return `would have refused ${actions}`;
  return `would have required a ${kind === "reason" ? "reason" : "second person"} for ${actions}`;
}

function count(number: number, one: string, many: string): string {
  return number === 0 ? `no ${many}` : `${number} ${number === 1 ? one : many}`;
}
