import type { ActionPatch } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { computeDecisionView, computeViewDigest, type DecisionView } from "#lib/domain/argo/view/view-digest.ts";
import type { SeenView } from "#lib/domain/delivery/view-change.ts";
import { digestOf } from "#lib/domain/storable/digest-of.ts";

export type ViewVerdict = { current: true; digest: string } | { current: false; digest: string; now: DecisionView };

/**
 * Assesses whether the rollout still matches the view that the person decided on. Protective actions must work during
 * rapid changes: for them the same object and revision suffice, as long as that revision is not promoted.
 */
export function assessView({
  rollout,
  seen,
  protective,
}: {
  rollout: RolloutObject;
  seen: SeenView;
  protective: boolean;
}): ViewVerdict {
  const { metadata, status } = rollout;
  const digest = computeViewDigest(rollout);
  if (digest === seen.viewDigest) return { current: true, digest };
  const same =
    seen.uid === metadata.uid &&
    seen.revisionKey !== undefined &&
    seen.revisionKey !== "" &&
    seen.revisionKey === status.currentPodHash;
  const isPromoted = status.stableRS === status.currentPodHash;
  if (protective && same && !isPromoted) return { current: true, digest };
  return { current: false, digest, now: computeDecisionView(rollout) };
}

/**
 * Returns a digest of the state that must be unchanged when the second of two patches is sent; the first one changed
 * the view's digest itself. Once spec.paused is lifted a gate may give way to the next one, which the person has not
 * seen. For a patch that lifts a gate, all the rest of the view must therefore be the same. Lifting spec.paused as the
 * second one requires less.
 */
export function anchorOf({ rollout, second }: { rollout: RolloutObject; second: ActionPatch["subresource"] }): string {
  const view = computeDecisionView(rollout);
  if (second === "status") return digestOf({ ...view, paused: null });
  const { uid, template, workloadRef, workloadGeneration, currentPodHash, abort } = view;
  return digestOf({ uid, template, workloadRef, workloadGeneration, currentPodHash, abort });
}
