import type { RolloutObject } from "#lib/domain/argo/rollout-object.ts";
import { computeDecisionView, computeViewDigest, type DecisionView } from "#lib/domain/argo/view-digest.ts";

/** What the person saw. `revisionKey` is currentPodHash. */
export type SeenView = { viewDigest: string; uid?: string; revisionKey?: string };

export type ViewVerdict = { current: true; digest: string } | { current: false; digest: string; now: DecisionView };

/**
 * Whether the rollout is still what the person decided on. Protective actions must work in a storm: for them the same
 * object and revision are enough, and the planner sees to it that nothing promoted is aborted.
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
  const digest = computeViewDigest(rollout);
  if (digest === seen.viewDigest) return { current: true, digest };
  const same =
    seen.uid === rollout.metadata.uid &&
    seen.revisionKey !== undefined &&
    seen.revisionKey !== "" &&
    seen.revisionKey === rollout.status.currentPodHash;
  if (protective && same) return { current: true, digest };
  return { current: false, digest, now: computeDecisionView(rollout) };
}

/** What must still hold when the second of two patches goes out; the first one changed the digest itself. */
export type PatchAnchor = {
  uid: string;
  template: string | null;
  workloadRef: string | null;
  workloadGeneration: string | null;
  podHash: string;
  abort: boolean;
};

export function anchorOf(rollout: RolloutObject): PatchAnchor {
  const { uid, template, workloadRef, workloadGeneration, currentPodHash, abort } = computeDecisionView(rollout);
  return { uid, template, workloadRef, workloadGeneration, podHash: currentPodHash, abort };
}

export function isSameAnchor(one: PatchAnchor, other: PatchAnchor): boolean {
  return (
    one.uid === other.uid &&
    one.template === other.template &&
    one.workloadRef === other.workloadRef &&
    one.workloadGeneration === other.workloadGeneration &&
    one.podHash === other.podHash &&
    one.abort === other.abort
  );
}
