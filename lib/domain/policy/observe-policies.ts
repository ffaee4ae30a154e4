import { isApprover } from "./count-approvals.ts";
import type { DenialCode, Policies, PolicyAction, ReasonRule, SecondPersonRule } from "./decide.ts";
import { findPolicies } from "./find-policies.ts";
import { type FreezeRule, isReleaseWindow } from "./freeze.ts";
import type { Rights, Target } from "./rights.ts";
import { explainMissingTicket, findTicketNeeds } from "./ticket.ts";

export type ObservedVerdict =
  | "refuse"
  | "require a reason"
  | "require a ticket"
  | "require a second person"
  | "require more approvals";

/** The decision of a rule that does not decide. `list` and `index`: its place among the observed policies. */
export type ObservedPolicy = { list: keyof Policies; index: number; would: ObservedVerdict };

/** The codes of refusals by a policy. */
export const policyProblems = [
  "frozen",
  "reauthentication_required",
  "reason_required",
  "second_person_required",
] as const satisfies readonly DenialCode[];

export const policyKinds = { freezes: "freeze", secondPerson: "second-person", reasons: "reason" } as const;

/**
 * The parts of a request that meet a rule: with a reason, a rule that requires one would have changed nothing.
 * `approvals`: the groups of each person whose approval counts; undefined if they are unknown, and then any group fits.
 * Empty without an approval.
 */
export type Brought = {
  reason: string | undefined;
  approvals: readonly (readonly string[] | undefined)[];
  breaksFreeze: boolean;
  isRobot: boolean;
};

export type ObservedAction = {
  action: PolicyAction;
  also?: readonly PolicyAction[];
  target: Target;
  now: Date;
  brought: Brought;
};

export const noRights: Rights = { grants: [], cap: "viewer" };

/**
 * Finds the observed rules that would have refused the action, or required more of it than it brought. `inForce` are the
 * freezes that decide: one release window that is open is enough, be it of either. A ticket is only looked for in the
 * reason: the system that checks it would take the question for a request.
 */
export function findObserved({
  policies,
  inForce,
  brought,
  ...asked
}: ObservedAction & { policies: Policies; inForce: readonly FreezeRule[] }): ObservedPolicy[] {
  const together = { ...policies, freezes: [...policies.freezes, ...findWindowsBeside(policies, inForce)] };
  const applied = findPolicies({ ...asked, rights: noRights, policies: together });
  const found = <List extends keyof Policies>(
    list: List,
    judge: (rule: Policies[List][number]) => ObservedVerdict | undefined,
  ): ObservedPolicy[] =>
    applied[list].flatMap((index) => {
      const rule: Policies[List][number] | undefined = policies[list][index];
      const would = rule && judge(rule);
      return would === undefined ? [] : [{ list, index, would }];
    });
  return [
    ...(brought.breaksFreeze ? [] : found("freezes", () => "refuse")),
    ...found("secondPerson", (rule) => judgeApprovals(rule, brought)),
    ...found("reasons", (rule) => judgeReason(rule, { ...asked, brought })),
  ];
}

function judgeApprovals(rule: SecondPersonRule, { approvals, isRobot }: Brought): ObservedVerdict | undefined {
  if (approvals.length === 0) return isRobot && !rule.robotsMayAsk ? "refuse" : "require a second person";
  const counted = approvals.filter((groups) => groups === undefined || isApprover(rule, groups));
  return counted.length < rule.approvers ? "require more approvals" : undefined;
}

function judgeReason(
  rule: ReasonRule,
  { brought: { reason }, ...asked }: Omit<ObservedAction, "now">,
): ObservedVerdict | undefined {
  if (reason === undefined) return "require a reason";
  const missing = explainMissingTicket(findTicketNeeds({ ...asked, rules: [rule] }), reason);
  return missing === undefined ? undefined : "require a ticket";
}

/** Returns the release windows in force that count together with the observed ones, which replace those of their names. */
export function findWindowsBeside(
  { freezes }: Pick<Policies, "freezes">,
  inForce: readonly FreezeRule[],
): FreezeRule[] {
  const names = new Set(freezes.map(({ name }) => name));
  return inForce.filter((rule) => isReleaseWindow(rule) && !names.has(rule.name));
}
