import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { parseDurationMs } from "./clock.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { ReplicaSet } from "./rollout-types.ts";
import { viewReplicaSet } from "./rollout-types.ts";
import { countReady, syncPods } from "./sync-pods.ts";

/** How long a pod takes to become ready: a Go duration, or "never"; on the ReplicaSet, or else in its pod template. */
export const POD_START_ANNOTATION = "sandbox.gatehouse/pod-start";
const POD_START_MS = 600;
const MANAGER = "kube-controller-manager";

/** When the pods of a scaled-up ReplicaSet become ready, by uid. */
export type ReadyTimes = Map<string, { replicas: number; startMs: number; readyAtMs: number }>;

/**
 * Plays kube-controller-manager and the nodes: Pods exist at once, and become ready and available a little later.
 * Returns when to look again, in ms.
 */
export function reconcileReplicaSet(
  context: ReconcileContext & { readyTimes: ReadyTimes },
  object: KubeObject,
): number | undefined {
  const { store, nowMs, speed, readyTimes } = context;
  const set = viewReplicaSet(object);
  const { uid, generation = 1 } = set.metadata;
  const { replicas } = set.spec;
  const available = countReady(context, set);
  let pending = readyTimes.get(uid);
  if (available === replicas) {
    readyTimes.delete(uid);
    writeCounts(replicas);
    return undefined;
  }
  const startMs = podStartMs(set) / speed;
  if (pending?.replicas !== replicas || pending.startMs !== startMs) {
    pending = { replicas, startMs, readyAtMs: nowMs + startMs };
    readyTimes.set(uid, pending);
  }
  const isReady = nowMs >= pending.readyAtMs;
  if (isReady) {
    readyTimes.delete(uid);
  }
  writeCounts(isReady ? replicas : available);
  return isReady || pending.readyAtMs === Number.POSITIVE_INFINITY ? undefined : pending.readyAtMs - nowMs;

  function writeCounts(ready: number): void {
    syncPods(context, set, { replicas, ready });
    const counts = replicas === 0 ? {} : { fullyLabeledReplicas: replicas };
    const readiness = ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready };
    const next = { replicas, ...counts, ...readiness, observedGeneration: generation };
    store.update("replicasets", { ...object, status: next }, { manager: MANAGER, subresource: "status" });
  }
}

function podStartMs({ metadata, spec }: ReplicaSet): number {
  const text =
    metadata.annotations?.[POD_START_ANNOTATION] ?? spec.template.metadata?.annotations?.[POD_START_ANNOTATION];
  return text === "never" ? Number.POSITIVE_INFINITY : (parseDurationMs(text) ?? POD_START_MS);
}
