import { findNeeds, type Policies, type PolicyAction } from "./decide.ts";
import { type FreezeRule, findFreezes, isReleaseWindow } from "./freeze.ts";
import type { Rights, Target } from "./rights.ts";

/** Indices of the policies that apply, in the config's lists. */
export type AppliedPolicies = { reasons: number[]; freezes: number[]; secondPerson: number[] };

type Question = {
  rights: Rights;
  policies: Policies;
  action: PolicyAction;
  also?: readonly PolicyAction[];
  target: Target;
  now: Date;
};

/**
 * Finds the policies that require something now: each is tried alone, by the function that decides with all. Release
 * windows are tried together: a closed one requires nothing while another is open.
 */
export function findPolicies({ policies, ...question }: Question): AppliedPolicies {
  const none: Policies = { reasons: [], freezes: [], secondPerson: [] };
  const needsOf = (one: Partial<Policies>, asked = question) => findNeeds({ ...asked, policies: { ...none, ...one } });
  // Without its own default an action needs a reason only if a rule says so.
  const plain = (action: PolicyAction): PolicyAction => ({ ...action, reasonRequired: false });
  const byRule = { ...question, action: plain(question.action), also: (question.also ?? []).map(plain) };
  const closed = findClosedNames({ ...question, rules: policies.freezes });
  return {
    reasons: indicesOf(policies.reasons, (rule) => needsOf({ reasons: [rule] }, byRule).reason),
    freezes: indicesOf(policies.freezes, (rule) =>
      isReleaseWindow(rule) ? closed.has(rule.name) : needsOf({ freezes: [rule] }).freeze !== null,
    ),
    secondPerson: indicesOf(policies.secondPerson, (rule) => needsOf({ secondPerson: [rule] }).secondPerson !== null),
  };
}

function indicesOf<Item>(items: readonly Item[], applies: (item: Item) => boolean): number[] {
  return items.flatMap((item, index) => (applies(item) ? [index] : []));
}

/** The names of release windows are unique. */
function findClosedNames({
  rules,
  action,
  also = [],
  target,
  now,
}: Omit<Question, "rights" | "policies"> & { rules: readonly FreezeRule[] }): ReadonlySet<string> {
  const windows = rules.filter(isReleaseWindow);
  const closed = [action, ...also].flatMap((each) => findFreezes({ windows, action: each, target, now }));
  return new Set(closed.map(({ name }) => name));
}
