import { z } from "zod";
import { listHooks } from "#lib/domain/flagger/objects/canary-hooks.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { strategyOf, thresholdOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

/**
 * Exactly the fields that a decision about a Canary depends on. Failed checks below the threshold, iterations, times,
 * resourceVersion and replica counts change all the time and are left out. The spec is a hash, so it contains no
 * secret.
 */
export const CanaryDecisionView = z.object({
  uid: z.string(),
  spec: z.string(),
  phase: z.string(),
  lastAppliedSpec: z.string(),
  trackedConfigs: z.record(z.string(), z.string()),
  suspend: z.boolean(),
  skipAnalysis: z.boolean(),
  /** The type of the hook that the phase waits for, or may wait for; null if none. */
  gate: z.string().nullable(),
  /** Percent; null unless each step needs an approval. */
  weight: z.number().nullable(),
  /** Flagger rolls back at its next check. */
  thresholdReached: z.boolean(),
});
export type CanaryDecisionView = z.infer<typeof CanaryDecisionView>;

export function computeCanaryDecisionView(canary: CanaryObject): CanaryDecisionView {
  const { metadata, spec, status } = canary;
  const gate = findGate(canary);
  return {
    uid: metadata.uid,
    spec: digestOf(spec),
    phase: status.phase,
    lastAppliedSpec: status.lastAppliedSpec,
    trackedConfigs: status.trackedConfigs,
    suspend: spec.suspend,
    skipAnalysis: spec.skipAnalysis,
    gate,
    weight: gate === "confirm-traffic-increase" ? (status.canaryWeight ?? null) : null,
    thresholdReached: (status.failedChecks ?? 0) >= thresholdOf(canary),
  };
}

/** Returns 64 lowercase hex digits over the decision view. Compute it from the object as the cluster gave it. */
export function computeCanaryViewDigest(canary: CanaryObject): string {
  return digestOf(computeCanaryDecisionView(canary));
}

/** The status does not show a wait for a step: any check of the analysis may be one if there is such a hook. */
function findGate(canary: CanaryObject): string | null {
  switch (canary.status.phase) {
    case "Waiting":
      return "confirm-rollout";
    case "WaitingPromotion":
      return "confirm-promotion";
    case "Progressing": {
      const asks = listHooks(canary).some(({ type }) => type === "confirm-traffic-increase");
      return asks && strategyOf(canary) === "Canary" ? "confirm-traffic-increase" : null;
    }
    default:
      return null;
  }
}
