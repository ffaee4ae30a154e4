import type { Approval } from "#lib/contract/approval.ts";
import { formatChoice } from "#lib/domain/policy/count-approvals.ts";
import { formatList } from "#lib/util/words.ts";

/** Adds the sign-in name if it differs, because a display name can be anything. */
export function nameWithUsername(name: string, username: string | null): string {
  return username === null || username === name ? name : `${name} (${username})`;
}

/** Names the people whose approvals count: "oncall and releaser"; empty if there are none. */
export function nameApproversOf({ approvals }: Pick<Approval, "approvals">): string {
  return nameAll(approvals.filter(({ counts }) => counts));
}

function nameAll(approvals: Approval["approvals"]): string {
  return formatList(approvals.map(({ name, username }) => nameWithUsername(name, username)));
}

/** Counts the approvals for each rule: "1 of 2"; of several rules "1 of 2, 0 of 1". */
export function countOfApprovals({ rules }: Pick<Approval, "rules">): string {
  return rules.map(({ approved, approvers }) => `${approved} of ${approvers}`).join(", ");
}

/**
 * Describes in sentences how far an open request has got, and which groups can still approve it: "1 of 2 approved:
 * oncall. Can still approve: sre or payments." Empty if one person of any group is enough.
 */
export function describeProgress({ rules, approvals }: Pick<Approval, "rules" | "approvals">): string {
  const [only, ...others] = rules;
  if (only === undefined) return "";
  const isPlain = others.length === 0 && only.approvers === 1 && only.groups.length === 0;
  const names = nameApproversOf({ approvals });
  const groups = [...new Set(rules.filter(isShort).flatMap((rule) => rule.groups))];
  const lost = approvals.filter(({ counts }) => !counts);
  const progress =
    others.length === 0
      ? `${countOfApprovals({ rules })} approved${names === "" ? "" : `: ${names}`}.`
      : `${rules.map((rule) => `Rule "${rule.name}": ${countOfApprovals({ rules: [rule] })} approved.`).join(" ")}${names === "" ? "" : ` Approved by ${names}.`}`;
  return [
    isPlain ? "" : progress,
    groups.length === 0 ? "" : `Can still approve: ${formatChoice(groups)}.`,
    lost.length === 0 ? "" : `No longer ${lost.length === 1 ? "counts" : "count"}: ${nameAll(lost)}.`,
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** Returns whether one more approval satisfies every rule. */
export function needsOneMore({ rules }: Pick<Approval, "rules">): boolean {
  const short = rules.filter(isShort);
  return short.length === 1 && short.every(({ approvers, approved }) => approvers - approved === 1);
}

function isShort({ approvers, approved }: Approval["rules"][number]): boolean {
  return approved < approvers;
}
