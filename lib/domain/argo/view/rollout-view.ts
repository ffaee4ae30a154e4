import { currentStepOf, type RolloutObject, revisionOf, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { computeRolloutStatus, computeSetWeight } from "#lib/domain/argo/view/rollout-status.ts";
import { maxWeightOf, trafficShareOf } from "#lib/domain/argo/view/weights.ts";
import type { RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import type { DeliverySummary } from "#lib/domain/delivery/provider.ts";

export type ReplicaSetTag = "stable" | "canary" | "active" | "preview" | "ping" | "pong";

export type RolloutView = DeliverySummary & {
  strategy: "Canary" | "BlueGreen" | null;
  replicaSets: (RevisionSet & { tags: ReplicaSetTag[] })[];
};

/**
 * Computes what lists and pages show of an Argo Rollout, as `kubectl argo rollouts get` does
 * (pkg/kubectl-argo-rollouts/info/rollout_info.go). `replicaSets` are those that the rollout controls.
 */
export function computeRolloutView({
  rollout,
  replicaSets,
}: {
  rollout: RolloutObject;
  replicaSets: readonly RevisionSet[];
}): RolloutView {
  const { strategy } = rollout.spec;
  const isCanary = strategy.canary !== undefined;
  const stepCount = stepsOf(rollout).length;
  const tagged = replicaSets.map((replicaSet) => ({ ...replicaSet, tags: computeTags(rollout, replicaSet.podHash) }));
  return {
    ...computeRolloutStatus(rollout),
    providerPhase: null,
    strategy: isCanary ? "Canary" : strategy.blueGreen !== undefined ? "BlueGreen" : null,
    step: isCanary && stepCount > 0 && rollout.status.currentStepIndex !== undefined ? currentStepOf(rollout) : null,
    stepCount,
    weight: isCanary ? { set: computeSetWeight(rollout), actual: computeActualWeight(rollout, tagged) } : null,
    images: collectImages(rollout, tagged),
    revision: revisionOf(rollout.metadata) ?? null,
    revisionKey: rollout.status.currentPodHash,
    replicaSets: tagged.toSorted((one, other) => (other.revision ?? -1) - (one.revision ?? -1)),
  };
}

function computeTags(rollout: RolloutObject, podHash: string | undefined): ReplicaSetTag[] {
  const { status, spec } = rollout;
  if (podHash === undefined || podHash === "") return [];
  const isStable = podHash === status.stableRS;
  const isCanary = spec.strategy.canary !== undefined && !isStable && podHash === status.currentPodHash;
  const isActive = podHash === status.blueGreen?.activeSelector;
  const isPreview = !isActive && podHash === status.blueGreen?.previewSelector;
  const tags: (ReplicaSetTag | undefined)[] = [
    isStable ? "stable" : undefined,
    isCanary ? "canary" : undefined,
    spec.strategy.blueGreen !== undefined && isActive ? "active" : undefined,
    spec.strategy.blueGreen !== undefined && isPreview ? "preview" : undefined,
    isStable || isCanary ? pingPongTag(rollout, isStable) : undefined,
  ];
  return tags.filter((tag) => tag !== undefined);
}

/** Returns the tag with ping-pong services: the stable side is the one that the status names, the canary the other. */
function pingPongTag(rollout: RolloutObject, isStable: boolean): ReplicaSetTag | undefined {
  const stable = rollout.status.canary?.stablePingPong;
  if (rollout.spec.strategy.canary?.pingPong === undefined || (stable !== "ping" && stable !== "pong"))
    return undefined;
  return isStable === (stable === "ping") ? "ping" : "pong";
}

function computeActualWeight(
  rollout: RolloutObject,
  replicaSets: readonly (RevisionSet & { tags: ReplicaSetTag[] })[],
): number | null {
  const maxWeight = maxWeightOf(rollout);
  const { stableRS, currentPodHash } = rollout.status;
  const isAtEnd = (rollout.status.currentStepIndex ?? 0) >= stepsOf(rollout).length;
  // Upstream's view says 100 past the last step, although the new version may have no pods yet.
  if (isAtEnd && (stableRS === "" || stableRS === currentPodHash)) return 100;
  if (rollout.spec.strategy.canary?.trafficRouting !== undefined) {
    const weight = rollout.status.canary?.weights?.canary?.weight;
    if (weight !== undefined) return trafficShareOf({ weight, maxWeight });
    return isAtEnd ? null : computeSetWeight(rollout);
  }
  if (rollout.status.availableReplicas === 0) return 0;
  const canary = replicaSets.find((replicaSet) => replicaSet.tags.includes("canary"));
  if (canary !== undefined) return Math.floor((canary.available * 100) / rollout.status.availableReplicas);
  // Nothing has the new hash, so it gets none of the traffic. Without any ReplicaSet at all it is unknown.
  return replicaSets.length === 0 ? null : 0;
}

/**
 * Collects images of ReplicaSets that run pods, with the tags of all that run them; the template's if none is known.
 */
function collectImages(
  rollout: RolloutObject,
  replicaSets: readonly (RevisionSet & { tags: ReplicaSetTag[] })[],
): { image: string; tags: string[] }[] {
  const tagsByImage = new Map<string, Set<string>>();
  for (const replicaSet of replicaSets) {
    if (replicaSet.replicas === 0) continue;
    for (const image of replicaSet.images) {
      const tags = tagsByImage.get(image) ?? new Set();
      for (const tag of replicaSet.tags) tags.add(tag);
      tagsByImage.set(image, tags);
    }
  }
  if (tagsByImage.size === 0)
    for (const container of rollout.spec.template?.spec?.containers ?? [])
      if (container.image !== undefined) tagsByImage.set(container.image, new Set());
  return [...tagsByImage]
    .map(([image, tags]) => ({ image, tags: [...tags].sort() }))
    .toSorted((one, other) => (one.image < other.image ? -1 : one.image > other.image ? 1 : 0));
}
