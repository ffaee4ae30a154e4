import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { formatTime } from "./clock.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { ReplicaSet } from "./rollout-types.ts";
import { isOwnedBy } from "./rollout-types.ts";
import { computeFnv32, hashText } from "./template-hash.ts";

const CREATOR = "kube-controller-manager";
const NODE_AGENT = "kubelet";
/** Pods beyond this number are only counted, not kept as objects. */
export const MOST_PODS_PER_SET = 50;
const NODES = 3;

type Containers = { name: string; image: string }[];

/**
 * Syncs the Pods of a ReplicaSet to its count: creates missing ones, deletes surplus ones (unready first, then the
 * youngest), and makes the first `ready` of them run.
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
  for (const pod of current.slice(0, wanted.ready)) {
    if (!isReady(pod)) {
      run(context, pod);
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
    spec: { ...template.spec, nodeName: `node-${1 + (computeFnv32(podName) % NODES)}`, restartPolicy: "Always" },
  };
  return store.create("pods", pod, { manager: CREATOR });
}

function run({ store, nowMs }: ReconcileContext, pod: KubeObject): void {
  const now = formatTime(nowMs);
  const containers = (pod.spec?.containers ?? []) as Containers;
  const address = computeFnv32(pod.metadata.uid);
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
      restartCount: 0,
      state: { running: { startedAt: now } },
      lastState: {},
    })),
  };
  store.update("pods", { ...pod, status }, { manager: NODE_AGENT, subresource: "status" });
}
