import type { DenialCode, Policies, PolicyAction } from "./decide.ts";
import { findPolicies } from "./find-policies.ts";
import { type FreezeRule, isReleaseWindow } from "./freeze.ts";
import type { Rights, Target } from "./rights.ts";

export type ObservedVerdict = "refuse" | "require a reason" | "require a second person";

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

/** The parts of a request that meet a rule: with a reason, a rule that requires one would have changed nothing. */
export type Brought = { reason: boolean; approval: boolean; breaksFreeze: boolean; isRobot: boolean };

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
 * freezes that decide: one release window that is open is enough, be it of either.
 */
export function findObserved({
  policies,
  inForce,
  brought,
  ...asked
}: ObservedAction & { policies: Policies; inForce: readonly FreezeRule[] }): ObservedPolicy[] {
  const together = { ...policies, freezes: [...policies.freezes, ...findWindowsBeside(policies, inForce)] };
  const applied = findPolicies({ ...asked, rights: noRights, policies: together });
  const found = (list: keyof Policies, would: (index: number) => ObservedVerdict): ObservedPolicy[] =>
    applied[list]
      .filter((index) => index < policies[list].length)
      .map((index) => ({ list, index, would: would(index) }));
  const isBarred = (index: number) => brought.isRobot && policies.secondPerson[index]?.robotsMayAsk === false;
  return [
    ...(brought.breaksFreeze ? [] : found("freezes", () => "refuse")),
    ...(brought.approval
      ? []
      : found("secondPerson", (index) => (isBarred(index) ? "refuse" : "require a second person"))),
    ...(brought.reason ? [] : found("reasons", () => "require a reason")),
  ];
}

/** Returns the release windows in force that count together with the observed ones, which replace those of their names. */
export function findWindowsBeside(
  { freezes }: Pick<Policies, "freezes">,
  inForce: readonly FreezeRule[],
): FreezeRule[] {
  const names = new Set(freezes.map(({ name }) => name));
  return inForce.filter((rule) => isReleaseWindow(rule) && !names.has(rule.name));
}
