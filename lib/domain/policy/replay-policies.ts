import { findNeeds, type Policies } from "./decide.ts";
import { type FreezeRule, findFreezes, isReleaseWindow, never } from "./freeze.ts";
import {
  findObserved,
  findWindowsBeside,
  noRights,
  type ObservedAction,
  type ObservedPolicy,
  type ObservedVerdict,
} from "./observe-policies.ts";

/** An action as its audit entry has it. `at`: when it was judged. */
export type AuditedAction = Omit<ObservedAction, "now"> & { seq: number; at: Date };

export type ReplayedAction = {
  seq: number;
  action: string;
  would: ObservedVerdict;
  /** Minutes until the rule would have let it pass; undefined for a rule without times, or if no end is known. */
  waitMinutes: number | undefined;
};

export type ReplayedRule = Pick<ObservedPolicy, "list" | "index"> & { actions: ReplayedAction[] };

/**
 * Replays rules over actions that were let through: which of them each rule would have refused, or required more of.
 * `inForce` are the freezes that decide today. Yields after each action.
 */
export function* replayPolicies({
  policies,
  inForce,
  actions,
}: {
  policies: Policies;
  inForce: readonly FreezeRule[];
  actions: readonly AuditedAction[];
}): Generator<undefined, ReplayedRule[], undefined> {
  const rules = (["freezes", "secondPerson", "reasons"] as const).flatMap((list) =>
    policies[list].map((_, index): ReplayedRule => ({ list, index, actions: [] })),
  );
  for (const { seq, at, ...asked } of actions) {
    for (const { list, index, would } of findObserved({ ...asked, now: at, policies, inForce })) {
      const windows = list === "freezes" ? findRulesWith({ policies, index, inForce }) : [];
      const found = { seq, action: asked.action.name, would, waitMinutes: findWait(windows, { ...asked, at }) };
      rules.find((rule) => rule.list === list && rule.index === index)?.actions.push(found);
    }
    yield;
  }
  return rules;
}

/** A freeze ends by itself; a release window opens beside the others. */
function findRulesWith({
  policies,
  index,
  inForce,
}: {
  policies: Policies;
  index: number;
  inForce: readonly FreezeRule[];
}): FreezeRule[] {
  const rule = policies.freezes[index];
  if (rule === undefined) return [];
  if (!isReleaseWindow(rule)) return [rule];
  return [...policies.freezes.filter(isReleaseWindow), ...findWindowsBeside(policies, inForce)];
}

/** A freeze may begin again before it ends, forever. */
const mostChanges = 100;

function findWait(
  windows: readonly FreezeRule[],
  { action, also = [], target, at }: Pick<AuditedAction, "action" | "also" | "target" | "at">,
): number | undefined {
  let now = at;
  for (let changes = 0; windows.length > 0 && changes < mostChanges; changes++) {
    const freezes = [action, ...also].flatMap((each) => findFreezes({ windows, action: each, target, now }));
    const until = Math.max(...freezes.map((freeze) => freeze.until.getTime()));
    if (freezes.length === 0) return (now.getTime() - at.getTime()) / 60_000;
    if (until >= never.getTime()) return undefined;
    now = new Date(until);
  }
  return undefined;
}

/** A recorded refusal by a policy. `policy`: the names of the freezes, or that of the second-person rule. */
export type RecordedRefusal = Omit<AuditedAction, "brought"> & {
  problem: string;
  policy: string | undefined;
  reason: boolean;
};

/** Returns whether these policies, with the freezes that people made, refuse the action as it was refused. */
export function isReproduced({
  policies,
  refusal: { at, problem, policy, reason, ...asked },
}: {
  policies: Policies;
  refusal: RecordedRefusal;
}): boolean {
  const needs = findNeeds({ ...asked, rights: noRights, policies, now: at });
  switch (problem) {
    case "frozen":
    case "reauthentication_required":
      return needs.freeze !== null && policy !== undefined && hasNames(needs.freeze.name, policy);
    case "reason_required":
      return !reason && (needs.reason || needs.freeze !== null);
    case "second_person_required":
      return needs.secondPerson !== null && needs.secondPerson.rule === policy;
    default:
      return false;
  }
}

/** Freezes are named together, separated by commas, which a name may contain too. */
function hasNames(names: string, wanted: string): boolean {
  return names === wanted || wanted.split(", ").every((name) => names.split(", ").includes(name));
}
