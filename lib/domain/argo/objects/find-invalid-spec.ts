import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { redactTextOf } from "#lib/domain/storable/redact-object.ts";

/**
 * The controller's words for a spec that it refuses; undefined for one that it takes. While this condition stands it
 * reconciles nothing of the rollout (rollout/controller.go newRolloutContext, createInvalidRolloutCondition of
 * argo-rollouts 1.10.2), whatever spec and status ask for, and looks again every 20 s.
 */
export function findInvalidSpec(rollout: RolloutObject): string | undefined {
  const condition = rollout.status.conditions?.find(({ type }) => type === "InvalidSpec");
  return condition === undefined || condition.status === "False" ? undefined : redactTextOf(rollout, condition.message);
}
