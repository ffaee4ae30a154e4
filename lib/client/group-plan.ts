import type { ActionGroupRequest, PlannedMember } from "#lib/contract/action-group.ts";
import { expectationOf } from "#packages/client/src/expectation-of.ts";

export type ReadyMember = PlannedMember & { plan: NonNullable<PlannedMember["plan"]> };

/** Returns whether the action can be requested for a rollout together with others. */
export function isReady(member: PlannedMember): member is ReadyMember {
  return explainBlock(member) === undefined;
}

/** Explains why not; undefined if it can. Overriding a freeze or a set, and approval, are requested one by one. */
export function explainBlock({ plan }: Pick<PlannedMember, "plan">): string | undefined {
  if (plan === null) return "It has no such action.";
  if (!plan.allowed) return plan.reason ?? "Not allowed now.";
  const { freeze, barrier, secondPerson } = plan.needs;
  if (freeze !== null) return `${freeze.because} The freeze can be overridden on the rollout's own page.`;
  if (barrier !== undefined) return `${barrier.because} The set can be overridden on the rollout's own page.`;
  if (secondPerson !== null) return `${secondPerson.because} Approval is requested on the rollout's own page.`;
  return undefined;
}

/** Binds the action on a member to the state that its plan shows. */
export function bindMember({ rollout, plan, ...seen }: ReadyMember): ActionGroupRequest["members"][number] {
  const { cluster, namespace, kind, name } = rollout;
  return {
    cluster,
    namespace,
    kind,
    name,
    expect: expectationOf(seen, { ...plan, view: null }),
  };
}
