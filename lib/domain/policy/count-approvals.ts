/** How many people other than the requester must approve, each in one of the groups. Without groups, anyone may. */
export type ApproverRule = { name: string; approvers: number; groups: readonly string[] };

/** A person's approval, as it counts under the current config. */
export type Vote = {
  /** Identifies the person by issuer and subject: the same across all sessions and tokens. */
  by: string;
  groups: readonly string[];
  /** The person may still perform the action. */
  mayAct: boolean;
};

export type RuleProgress<One extends Vote = Vote> = { rule: ApproverRule; counted: One[] };

/** Finds the approvals that count for each rule: of different people with the right, never of the requester. */
export function countApprovals<One extends Vote>({
  rules,
  votes,
  requestedBy,
}: {
  rules: readonly ApproverRule[];
  votes: readonly One[];
  requestedBy: string;
}): RuleProgress<One>[] {
  const people = new Map(votes.map((vote) => [vote.by, vote]));
  const valid = [...people.values()].filter(({ by, mayAct }) => mayAct && by !== requestedBy);
  return rules.map((rule) => ({ rule, counted: valid.filter(({ groups }) => isApprover(rule, groups)) }));
}

/** Returns whether people in these groups may approve by the rule. */
export function isApprover({ groups: named }: ApproverRule, groups: readonly string[]): boolean {
  return named.length === 0 || named.some((group) => groups.includes(group));
}

export function isShort({ rule, counted }: RuleProgress): boolean {
  return counted.length < rule.approvers;
}

/** Leaves out rules that are satisfied whenever another one is. */
export function leaveOutImplied<Rule extends ApproverRule>(rules: readonly Rule[]): Rule[] {
  return rules.filter(
    (rule, index) =>
      !rules.some((other, at) => at !== index && implies(other, rule) && (at < index || !implies(rule, other))),
  );
}

function implies(one: ApproverRule, other: ApproverRule): boolean {
  if (one.approvers < other.approvers) return false;
  if (other.groups.length === 0) return true;
  return one.groups.length > 0 && one.groups.every((group) => other.groups.includes(group));
}

/** An approval that no rule requires must come from any other person. */
const anyone: ApproverRule = { name: "", approvers: 1, groups: [] };

/** Returns the rules by which the approvals of a request are counted. */
export function rulesToCount(rules: readonly ApproverRule[]): readonly ApproverRule[] {
  return rules.length === 0 ? [anyone] : leaveOutImplied(rules);
}

/** Explains in sentences which approvals are missing; undefined if none are. */
export function explainMissingApproval({
  rules,
  votes,
  requestedBy,
}: {
  /** Those that apply now. */
  rules: readonly ApproverRule[];
  votes: readonly Vote[];
  requestedBy: string;
}): string | undefined {
  if (votes.length === 0) return "It is not approved, or the approval was withdrawn.";
  if (votes.every(({ by }) => by === requestedBy)) return "An approval must come from another person.";
  const short = countApprovals({ rules: rulesToCount(rules), votes, requestedBy }).find(isShort);
  if (short === undefined) return undefined;
  const because = votes.some(({ mayAct }) => !mayAct)
    ? "An approver has since lost the right to approve."
    : explainRule(short.rule);
  return `${because} ${short.counted.length} of ${short.rule.approvers} approved.`;
}

/** Explains a rule in a sentence. */
export function explainRule(rule: ApproverRule): string {
  return `Rule "${rule.name}" requires ${nameApprovers(rule)}.`;
}

/** Names who must approve: "a second person", "2 other people from sre or payments". */
export function nameApprovers({ approvers, groups }: Pick<ApproverRule, "approvers" | "groups">): string {
  const people = approvers === 1 ? "a second person" : `${approvers} other people`;
  return groups.length === 0 ? people : `${people} from ${formatChoice(groups)}`;
}

/** Names the approval that is required: "another person's approval", "approval by 2 other people from sre". */
export function nameApproval(rule: Pick<ApproverRule, "approvers" | "groups">): string {
  const isPlain = rule.approvers === 1 && rule.groups.length === 0;
  return isPlain ? "another person's approval" : `approval by ${nameApprovers(rule)}`;
}

/** Joins choices in English: "a", "a or b", "a, b or c". */
export function formatChoice(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} or ${items.at(-1)}`;
}
