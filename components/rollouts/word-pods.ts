import { nameVersion } from "#lib/client/describe-images.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

type PodFacts = Pick<
  RolloutDetail,
  "kind" | "strategy" | "revisionKey" | "stableRevisionKey" | "replicas" | "replicaSets" | "images" | "workload"
>;

/**
 * Says how many pods of each version are available: "v2: 2 available · stable v1: 5 available"; "6 of 6 available" if
 * there is one version only.
 */
export function wordPods(rollout: PodFacts): string {
  const { replicas, revisionKey, stableRevisionKey } = rollout;
  if (stableRevisionKey === null || stableRevisionKey === revisionKey)
    return `${replicas.available} of ${replicas.desired} available`;
  const next = countPods(rollout, revisionKey);
  const stable = countPods(rollout, stableRevisionKey);
  if (next === undefined && stable === undefined) return `${replicas.available} available in all`;
  return [wordVersion(rollout, revisionKey, next), wordVersion(rollout, stableRevisionKey, stable)].join(" · ");
}

/** Whether there is one version only: then none is new. */
export function isSettled({
  phase,
  revisionKey,
  stableRevisionKey,
}: Pick<RolloutDetail, "phase" | "revisionKey" | "stableRevisionKey">): boolean {
  return phase === "Healthy" && revisionKey === stableRevisionKey;
}

function wordVersion(rollout: PodFacts, key: string, count: number | undefined): string {
  const role = nameRole(rollout, key);
  const version = nameVersion(rollout, key);
  return `${role === undefined ? "" : `${role} `}${version}: ${count === undefined ? "unknown" : `${count} available`}`;
}

/** Of blue-green, which Service leads to it; else only the stable version has a role. */
function nameRole({ strategy, replicaSets, stableRevisionKey }: PodFacts, key: string): string | undefined {
  const tags = replicaSets.find(({ podHash }) => podHash === key)?.tags ?? [];
  const service = strategy === "BlueGreen" ? ["active", "preview"].find((tag) => tags.includes(tag)) : undefined;
  return service ?? (key === stableRevisionKey ? "stable" : undefined);
}

/** Undefined if unknown. Flagger's new version runs in the target, and the rest of the pods are the primary's. */
function countPods({ kind, replicas, replicaSets, workload, images, revisionKey }: PodFacts, key: string) {
  if (kind !== "Canary") return replicaSets.find(({ podHash }) => podHash === key)?.available;
  const target = workload?.recorded?.presence === "live" ? workload.recorded.available : undefined;
  if (key === revisionKey || target === undefined) return target;
  const isPrimaryKnown = images.some(({ tags }) => tags.includes("stable"));
  return isPrimaryKnown && replicas.available >= target ? replicas.available - target : undefined;
}
