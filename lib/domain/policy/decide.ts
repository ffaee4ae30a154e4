import { type FreezeWindow, findFreeze } from "./freeze.ts";
import { matchesAny } from "./match-glob.ts";
import { isInScope, mayAct, mayBreakGlass, mayRead, type Rights, type Scope, type Target } from "./rights.ts";

export type ReasonRule = { scope: Scope; actions: readonly string[]; required: boolean };

/** Named actions that two people must want. Protective ones only where the rule says so. */
export type SecondPersonRule = {
  name: string;
  scope: Scope;
  actions: readonly string[];
  includeProtective: boolean;
  expireMinutes: number;
};

export type Policies = {
  reasons: readonly ReasonRule[];
  freezes: readonly FreezeWindow[];
  secondPerson: readonly SecondPersonRule[];
};

export type PolicyAction = { name: string; protective: boolean; reasonRequired: boolean };

/** What a second person has said, bound to one request on one object in one view. */
export type Approval = {
  /** The action with its parameters, as one key. */
  request: string;
  uid: string;
  viewDigest: string;
  requestedBy: string;
  /** Null until somebody has decided. */
  approvedBy: string | null;
  expiresAt: Date;
};

export type Attempt = {
  /** Who asks, as issuer and subject: the same over all sessions and tokens of a person. */
  actorKey: string;
  /** The action with its parameters, as one key. */
  request: string;
  uid: string;
  viewDigest: string;
  reason: string | undefined;
  /** The person asks to act in spite of a freeze. */
  breakGlass: boolean;
  /** When the person last proved who they are; unknown where the provider did not say; null for tokens, which cannot. */
  authenticatedAt: Date | "unknown" | null;
  approval: Approval | undefined;
};

export type DenialCode =
  | "not_found"
  | "forbidden"
  | "frozen"
  | "reauthentication_required"
  | "reason_required"
  | "second_person_required";

/** Shown on the button before the click, and asked again at the click. */
export type Needs = {
  reason: boolean;
  secondPerson: { rule: string; expireMinutes: number } | null;
  /** The freeze that is in force; `until` in ISO 8601. */
  freeze: { name: string; until: string } | null;
  /** The freeze can be broken by this actor. */
  breakGlass: boolean;
};

export type Decision =
  | { allowed: true; needs: Needs }
  | { allowed: false; needs: Needs; code: DenialCode; reason: string };

/** A break-glass asks for a sign-in not older than this. */
export const reauthenticationMinutes = 5;

type Question = { rights: Rights; policies: Policies; action: PolicyAction; target: Target; now: Date };

/** What stands between an actor and an action, before anything is known of the rollout's state. Unknown means no. */
export function findNeeds({ rights, policies, action, target, now }: Question): Needs {
  const rule = policies.secondPerson.find(
    ({ scope, actions, includeProtective }) =>
      isInScope(scope, target) && matchesAny(actions, action.name) && (includeProtective || !action.protective),
  );
  const freeze = findFreeze({ windows: policies.freezes, action, target, now });
  return {
    reason: isReasonRequired({ policies, action, target }),
    secondPerson: rule === undefined ? null : { rule: rule.name, expireMinutes: rule.expireMinutes },
    freeze: freeze === undefined ? null : { name: freeze.name, until: freeze.until.toISOString() },
    breakGlass: freeze !== undefined && mayBreakGlass(rights, target),
  };
}

/** Decides one attempt. Pure: everything it depends on stands in its arguments. */
export function decide({ attempt, ...question }: Question & { attempt: Attempt }): Decision {
  const { rights, action, target } = question;
  const needs = findNeeds(question);
  const deny = (code: DenialCode, reason: string): Decision => ({ allowed: false, needs, code, reason });
  if (!mayRead(rights, target)) return deny("not_found", "There is no such rollout, or you may not see it.");
  if (!mayAct(rights, { action: action.name, target }))
    return deny("forbidden", `Your rights do not include ${action.name} on ${target.namespace}/${target.name}.`);
  const frozen = assessFreeze({ attempt, needs, now: question.now });
  if (frozen !== undefined) return deny(frozen.code, frozen.reason);
  if ((needs.reason || needs.freeze !== null) && (attempt.reason ?? "").trim() === "")
    return deny(
      "reason_required",
      needs.freeze === null ? "This action needs a reason." : "Breaking the glass needs a reason.",
    );
  const lacking = assessApproval({ attempt, needs, now: question.now });
  if (lacking !== undefined) return deny("second_person_required", lacking);
  return { allowed: true, needs };
}

function assessFreeze({
  attempt,
  needs,
  now,
}: {
  attempt: Attempt;
  needs: Needs;
  now: Date;
}): { code: DenialCode; reason: string } | undefined {
  const { freeze } = needs;
  if (freeze === null) return undefined;
  const frozen = `Frozen by "${freeze.name}" until ${freeze.until}`;
  if (!attempt.breakGlass) return { code: "frozen", reason: `${frozen}.` };
  if (!needs.breakGlass) return { code: "frozen", reason: `${frozen}; you do not have the right to break the glass.` };
  const { authenticatedAt } = attempt;
  if (authenticatedAt === null)
    return { code: "frozen", reason: `${frozen}; a token cannot break the glass: sign in.` };
  const asked = `Breaking the glass asks for a sign-in within the last ${reauthenticationMinutes} minutes`;
  if (authenticatedAt === "unknown")
    return {
      code: "reauthentication_required",
      reason: `${asked}, and your identity provider did not say when yours was (auth_time): sign in again.`,
    };
  const age = now.getTime() - authenticatedAt.getTime();
  if (age > reauthenticationMinutes * 60_000 || age < 0)
    return { code: "reauthentication_required", reason: `${asked}: sign in again.` };
  return undefined;
}

function assessApproval({ attempt, needs, now }: { attempt: Attempt; needs: Needs; now: Date }): string | undefined {
  if (needs.secondPerson === null) return undefined;
  const { approval } = attempt;
  if (approval === undefined) return `Rule "${needs.secondPerson.rule}" asks for a second person: request an approval.`;
  if (approval.request !== attempt.request || approval.uid !== attempt.uid)
    return "The approval is for another action, for other parameters of it, or for another object.";
  if (approval.requestedBy !== attempt.actorKey) return "The approval was requested by somebody else.";
  if (approval.approvedBy === null) return "Nobody has approved it yet.";
  if (approval.approvedBy === approval.requestedBy) return "An approval must come from another person.";
  if (approval.expiresAt.getTime() <= now.getTime()) return "The approval has expired: request a new one.";
  if (approval.viewDigest !== attempt.viewDigest)
    return "The rollout changed since it was approved: request a new approval.";
  return undefined;
}

function isReasonRequired({ policies, action, target }: Pick<Question, "policies" | "action" | "target">): boolean {
  const rules = policies.reasons.filter(
    ({ scope, actions }) => isInScope(scope, target) && matchesAny(actions, action.name),
  );
  if (rules.some(({ required }) => required)) return true;
  return rules.length === 0 && action.reasonRequired;
}
