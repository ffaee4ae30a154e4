import { describeTimes, quoteTimes } from "#components/admin/describe-times.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { AdminPolicy } from "#lib/contract/admin.ts";
import { actionNames, entryOf, isProtective, quoteActions } from "#lib/domain/acting/action-catalogue.ts";
import { nameApproval } from "#lib/domain/policy/count-approvals.ts";
import { describeScope } from "#lib/domain/policy/describe-scope.ts";
import { matchesAny } from "#lib/domain/policy/match-glob.ts";
import { makeSampleTicket } from "#lib/domain/policy/ticket-pattern.ts";
import { formatList } from "#lib/util/words.ts";

/** Describes in sentences what a policy demands, and where. */
export function describePolicy(policy: AdminPolicy): string {
  const where = describeScope(policy.scope);
  // Rules about reasons always include protective actions.
  if (policy.kind === "reason") {
    const actions = describeActions({ ...policy, includeProtective: true });
    const reason = `Requires ${policy.required === true ? "a" : "no"} reason for ${actions} ${where}.`;
    return policy.ticket === null ? reason : `${reason} ${describeTicket(policy.ticket)}`;
  }
  const what = describeActions(policy);
  if (policy.kind === "freeze") {
    const times = timesOf(policy, describeTimes);
    return policy.outside === true
      ? `Freezes ${what} ${where} unless a release window for them is open. This one is open ${times}.`
      : `Freezes ${what} ${where}, ${times}.`;
  }
  const minutes = formatDuration((policy.expireMinutes ?? 0) * 60_000);
  const robots = policy.robotsMayAsk === true ? "Robots may request it." : "Robots may not request it.";
  const groups = policy.approverGroups ?? [];
  const approval = nameApproval({ approvers: policy.approvers ?? 1, groups });
  const who =
    groups.length === 0
      ? "Anyone else with the right to the action may approve."
      : "Approvers also need the right to the action.";
  return `Requires ${approval} for ${what} ${where}. ${who} It is valid for ${minutes}. ${robots}`;
}

/** The config's own words for the times of a freeze; undefined for other policies. */
export function quotePolicyTimes(policy: AdminPolicy): string | undefined {
  return policy.kind === "freeze" ? timesOf(policy, quoteTimes) : undefined;
}

function timesOf({ start, timeZone, duration }: AdminPolicy, write: typeof describeTimes): string {
  return write({ start: start ?? "", timeZone: timeZone ?? "", duration: duration ?? "" });
}

function describeTicket({ name, pattern, checked }: NonNullable<AdminPolicy["ticket"]>): string {
  const sample = `a ticket such as ${makeSampleTicket(pattern)} (${name}: ${pattern})`;
  const rest = checked ? ", which another system checks at the click" : "";
  return `The reason must name ${sample}${rest}, unless the action is protective.`;
}

const protective = formatList(actionNames.filter(isProtective).map((name) => entryOf(name).word));

/** Said once on a page about policies, not at each. */
export const protectiveNote = `Protective actions (${protective}) pass freezes and need no approval, unless a policy includes them.`;

/** Names the actions as their buttons do. Protective ones are included only if the rule says so. */
export function describeActions({
  actions,
  includeProtective,
}: Pick<AdminPolicy, "actions" | "includeProtective">): string {
  const isAll = actions.includes("*");
  if (isAll) return includeProtective === true ? "every action" : "promotions and other advancing actions";
  const named = actionNames.filter((name) => matchesAny(actions, name));
  const stopped = named.filter((name) => includeProtective === true || !isProtective(name));
  return stopped.length === 0 ? `no action (${actions.join(", ")})` : quoteActions(stopped);
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
