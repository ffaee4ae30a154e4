import { fnv1a } from "#lib/util/fnv1a.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { formatTime } from "./clock.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { ReplicaSet } from "./rollout-types.ts";
import { isOwnedBy } from "./rollout-types.ts";
import { hashText } from "./template-hash.ts";

/** In a pod template: the first pod of each ReplicaSet crashes once soon after its start. */
export const RESTARTED_ANNOTATION = "sandbox.gatehouse/restarted";

const CREATOR = "kube-controller-manager";
const NODE_AGENT = "kubelet";
/** Pods beyond this number are only counted, not kept as objects. */
export const MOST_PODS_PER_SET = 50;
const NODES = 3;

/** How long the instance lived that crashed. */
const CRASHED_AFTER_MS = 4_000;

type Containers = { name: string; image: string; restartPolicy?: string }[];

/**
 * Syncs the Pods of a ReplicaSet to its count: creates missing ones, deletes surplus ones (unready first, then the
 * youngest), and starts the first `ready` Pods.
 */
export function syncPods(
  context: ReconcileContext,
  set: ReplicaSet,
  wanted: { replicas: number; ready: number },
): void {
  const { store } = context;
  const kept = Math.min(wanted.replicas, MOST_PODS_PER_SET);
  const pods = listPods(context, set);
  for (const pod of pods.slice(kept)) {
    store.delete("pods", pod.metadata.namespace, pod.metadata.name);
  }
  const current = pods.slice(0, kept);
  for (let index = current.length; index < kept; index++) {
    current.push(createPod(context, set, index));
  }
  for (const [index, pod] of current.slice(0, wanted.ready).entries()) {
    if (!isReady(pod)) {
      run(context, pod, index === 0 && pod.metadata.annotations?.[RESTARTED_ANNOTATION] !== undefined);
    }
  }
}

/** Returns how many replicas are ready, including those not kept as objects. */
export function countReady(context: ReconcileContext, set: ReplicaSet): number {
  const pods = listPods(context, set);
  const uncounted = Math.max(0, set.spec.replicas - MOST_PODS_PER_SET);
  const ready = Math.min(pods.filter(isReady).length, set.spec.replicas);
  return uncounted > 0 && ready === MOST_PODS_PER_SET
    ? Math.min(set.status.availableReplicas, set.spec.replicas)
    : ready;
}

/** Lists ready ones first, older ones before younger ones. */
export function listPods({ store }: Pick<ReconcileContext, "store">, set: ReplicaSet): KubeObject[] {
  return store
    .list("pods", set.metadata.namespace)
    .filter((pod) => isOwnedBy(pod, set.metadata.uid) && pod.metadata.deletionTimestamp === undefined)
    .sort(
      (left, right) =>
        Number(isReady(right)) - Number(isReady(left)) ||
        left.metadata.creationTimestamp.localeCompare(right.metadata.creationTimestamp) ||
        left.metadata.name.localeCompare(right.metadata.name),
    );
}

export function isReady(pod: KubeObject): boolean {
  const conditions = (pod.status?.conditions ?? []) as { type: string; status: string }[];
  return conditions.some(({ type, status }) => type === "Ready" && status === "True");
}

function createPod({ store }: ReconcileContext, set: ReplicaSet, index: number): KubeObject {
  const { name, namespace, uid, generation = 1 } = set.metadata;
  const { template } = set.spec;
  const prefix = `${name}-`;
  let attempt = 0;
  let podName: string;
  do {
    podName = prefix + hashText(`${uid}/${generation}/${index}/${attempt++}`).slice(-5);
  } while (store.get("pods", namespace, podName) !== undefined);
  const pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: podName,
      generateName: prefix,
      namespace,
      ...template.metadata,
      ownerReferences: [
        { apiVersion: "apps/v1", kind: "ReplicaSet", name, uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: { ...template.spec, nodeName: `node-${1 + (fnv1a(podName) % NODES)}`, restartPolicy: "Always" },
  };
  return store.create("pods", pod, { manager: CREATOR });
}

function run({ store, nowMs }: ReconcileContext, pod: KubeObject, hasCrashed: boolean): void {
  const now = formatTime(nowMs);
  const initial = (pod.spec?.initContainers ?? []) as Containers;
  const crash = {
    exitCode: 2,
    reason: "Error",
    startedAt: formatTime(nowMs - CRASHED_AFTER_MS),
    finishedAt: now,
  };
  const containers = (pod.spec?.containers ?? []) as Containers;
  const address = fnv1a(pod.metadata.uid);
  const status = {
    phase: "Running",
    conditions: ["Initialized", "Ready", "ContainersReady", "PodScheduled"].map((type) => ({
      type,
      status: "True",
      lastProbeTime: null,
      lastTransitionTime: now,
    })),
    podIP: `10.${16 + (address % 64)}.${(address >>> 8) % 256}.${1 + ((address >>> 16) % 254)}`,
    startTime: pod.metadata.creationTimestamp,
    containerStatuses: containers.map(({ name, image }) => ({
      name,
      image,
      ready: true,
      started: true,
      restartCount: hasCrashed ? 1 : 0,
      state: { running: { startedAt: now } },
      lastState: hasCrashed ? { terminated: crash } : {},
    })),
    ...(initial.length === 0
      ? {}
      : {
          initContainerStatuses: initial.map(({ name, image, restartPolicy }) => ({
            name,
            image,
            ready: true,
            started: restartPolicy === "Always",
            restartCount: 0,
            state:
              restartPolicy === "Always"
                ? { running: { startedAt: now } }
                : {
                    terminated: {
                      exitCode: 0,
                      reason: "Completed",
                      startedAt: pod.metadata.creationTimestamp,
                      finishedAt: now,
                    },
                  },
            lastState: {},
          })),
        }),
  };
  store.update("pods", { ...pod, status }, { manager: NODE_AGENT, subresource: "status" });
}
