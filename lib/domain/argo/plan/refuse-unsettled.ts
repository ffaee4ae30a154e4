import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";

export function refuseUnsettled(): ActionRefusal {
  return refuse(
    "not_settled",
    "The controller has not recorded its pause for the Inconclusive result yet. Look again in a moment.",
  );
}
