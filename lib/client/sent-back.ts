import type { Expectation } from "#lib/contract/action.ts";
import type { AllowedAction } from "#lib/contract/rollout.ts";

/** Returns the fields of a shown action that a request must send back: Gatehouse refuses it if they differ by then. */
export function sentBack({
  passesPauses,
  targetVersion,
}: Pick<AllowedAction, "passesPauses" | "targetVersion">): Pick<Expectation, "passesPauses" | "targetVersion"> {
  return {
    ...(passesPauses === undefined ? {} : { passesPauses }),
    ...(targetVersion === undefined ? {} : { targetVersion }),
  };
}
