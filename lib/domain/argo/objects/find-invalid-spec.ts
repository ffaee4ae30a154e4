import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";

/**
 * Returns the controller's message for a spec that it refuses; undefined if it accepts it. While this condition exists
 * the controller does not reconcile the rollout (rollout/controller.go newRolloutContext, createInvalidRolloutCondition
 * of argo-rollouts 1.10.2), regardless of what spec and status request, and retries every 20 s.
 */
export function findInvalidSpec(rollout: RolloutObject): string | undefined {
  const condition = rollout.status.conditions?.find(({ type }) => type === "InvalidSpec");
  return condition === undefined || condition.status === "False" ? undefined : redactTextOf(rollout, condition.message);
}
