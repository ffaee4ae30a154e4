import type { Expectation } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** Returns what a request must send back of an action as it was shown: if it differs by then, Gatehouse refuses it. */
export function sentBack({
  passesPauses,
  targetVersion,
}: Pick<AllowedAction, "passesPauses" | "targetVersion">): Pick<Expectation, "passesPauses" | "targetVersion"> {
  return {
    ...(passesPauses === undefined ? {} : { passesPauses }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
}
