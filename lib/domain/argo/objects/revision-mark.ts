import type { RevisionMark } from "#lib/domain/delivery/revision-set.ts";
import { type ObjectMeta, podHashLabel } from "#lib/domain/kube/kube-object.ts";

/** Reads which revision a ReplicaSet is, and which it has been. */
export function readRevisionMark(meta: Pick<ObjectMeta, "annotations" | "labels">): RevisionMark {
  return { podHash: meta.labels[podHashLabel], revision: revisionOf(meta), revisions: revisionsOf(meta) };
}

/** Reads `rollout.argoproj.io/revision`, on Rollouts, ReplicaSets, runs and Experiments alike. */
export function revisionOf(meta: Pick<ObjectMeta, "annotations">): number | undefined {
  const text = meta.annotations["rollout.argoproj.io/revision"];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/**
 * Returns every revision that a ReplicaSet has been, ascending. One that is wanted again gets a new number, and the
 * earlier ones are kept next to it (Argo Rollouts, utils/annotations/annotations.go, SetNewReplicaSetAnnotations,
 * 1.10.2).
 */
function revisionsOf(meta: Pick<ObjectMeta, "annotations">): number[] {
  const earlier = (meta.annotations["rollout.argoproj.io/revision-history"] ?? "").split(",");
  const numbers = earlier.filter((text) => /^\d{1,9}$/.test(text)).map(Number);
  return [...new Set([...numbers, revisionOf(meta) ?? []].flat())].toSorted((one, other) => one - other);
}
