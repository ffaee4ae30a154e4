import type { ActionPlanAnswer, Expectation } from "./generated/operations.ts";

type Seen = { viewDigest: string; uid: string; revisionKey: string };

/**
 * Returns the `expect` of an action request: what you saw when you decided. Gatehouse refuses the action with
 * `stale_view` if it differs by then. `plan` is the answer of `planRolloutAction` and the like.
 */
export function expectationOf(
  seen: Seen,
  plan: Pick<ActionPlanAnswer, "view" | "passesPauses" | "targetVersion"> & Partial<Pick<ActionPlanAnswer, "needs">>,
): Expectation {
  const { viewDigest, uid, revisionKey } = plan.view ?? seen;
  return {
    viewDigest,
    uid,
    revisionKey,
    ...(plan.passesPauses === undefined ? {} : { passesPauses: plan.passesPauses }),
    ...(plan.targetVersion === undefined ? {} : { targetVersion: plan.targetVersion }),
    ...(plan.needs?.blocks === undefined ? {} : { blocks: plan.needs.blocks }),
  };
}
