import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import { computeDeploymentStatus, deadlineWaitMs, planRecreate, planRollingUpdate } from "./deployment-status.ts";
import {
  DEPLOYMENT_HASH_LABEL,
  DEPLOYMENT_REVISION_ANNOTATION,
  type Deployment,
  viewDeployment,
} from "./deployment-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { POD_START_ANNOTATION } from "./reconcile-replica-set.ts";
import { isOwnedBy, type ReplicaSet, viewReplicaSet, viewRollout } from "./rollout-types.ts";
import { computePodTemplateHash } from "./template-hash.ts";

/** Like POD_START_ANNOTATION, but only for the pods of a primary Deployment that Flagger made from the template. */
export const PRIMARY_POD_START_ANNOTATION = "sandbox.gatehouse/primary-pod-start";

const MANAGER = "kube-controller-manager";
const DEFAULT_REVISION_HISTORY_LIMIT = 10;

/**
 * Plays the Deployment controller of kube-controller-manager. The pods of a Deployment that a Rollout refers to are the
 * Rollout's: it is only counted. Returns when to look again, in ms.
 */
export function reconcileDeployment(context: ReconcileContext, object: KubeObject): number | undefined {
  const deployment = viewDeployment(object);
  if (deployment === undefined || isReferredTo(context, object)) {
    countReplicas(context, object);
    return undefined;
  }
  const isRecreate = deployment.spec.strategy?.type === "Recreate";
  const hash = computePodTemplateHash(deployment.spec.template);
  const { old } = loadSets(context, deployment, hash);
  const mustWait = isRecreate && old.some((set) => set.spec.replicas > 0 || set.status.replicas > 0);
  const created = mustWait ? undefined : ensureReplicaSet(context, deployment, hash);
  const sets = loadSets(context, deployment, hash);
  const orders = isRecreate ? planRecreate(deployment, sets) : planRollingUpdate(deployment, sets);
  for (const { set, replicas } of orders) {
    scale(context, set, replicas);
  }
  deleteOldSets(context, deployment, sets.old);
  return writeStatus(context, deployment, { hash, created });
}

function isReferredTo({ store }: ReconcileContext, { metadata }: KubeObject): boolean {
  return store.list("rollouts", metadata.namespace).some((rollout) => {
    const reference = viewRollout(rollout).spec?.workloadRef;
    return reference?.kind === "Deployment" && reference.name === metadata.name;
  });
}

function countReplicas({ store }: ReconcileContext, object: KubeObject): void {
  const replicas = typeof object.spec?.replicas === "number" ? object.spec.replicas : 1;
  const counts =
    replicas === 0 ? {} : { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  const status = { ...counts, observedGeneration: object.metadata.generation ?? 1 };
  store.update("deployments", { ...object, status }, { manager: MANAGER, subresource: "status" });
}

function loadSets({ store }: ReconcileContext, { metadata }: Deployment, hash: string) {
  const all = store
    .list("replicasets", metadata.namespace)
    .filter((object) => isOwnedBy(object, metadata.uid))
    .map(viewReplicaSet)
    .sort((left, right) => revisionOf(left) - revisionOf(right));
  const isNew = (set: ReplicaSet): boolean => set.metadata.labels?.[DEPLOYMENT_HASH_LABEL] === hash;
  return { all, newSet: all.find(isNew), old: all.filter((set) => !isNew(set)) };
}

function revisionOf({ metadata }: Pick<ReplicaSet, "metadata">): number {
  return Number(metadata.annotations?.[DEPLOYMENT_REVISION_ANNOTATION] ?? "0");
}

/** Makes the template's ReplicaSet the newest revision; returns its name if it had to be created. */
function ensureReplicaSet(context: ReconcileContext, deployment: Deployment, hash: string): string | undefined {
  const { newSet, old } = loadSets(context, deployment, hash);
  const revision = Math.max(0, ...old.map(revisionOf)) + 1;
  const annotations = { [DEPLOYMENT_REVISION_ANNOTATION]: String(revision) };
  let created: string | undefined;
  if (newSet === undefined) {
    created = createReplicaSet(context, deployment, { hash, annotations });
  } else if (revisionOf(newSet) < revision) {
    annotate(context, { resource: "replicasets", metadata: newSet.metadata, annotations });
  }
  annotate(context, { resource: "deployments", metadata: deployment.metadata, annotations });
  return created;
}

function annotate(
  { store }: ReconcileContext,
  change: { resource: string; metadata: KubeObject["metadata"]; annotations: Record<string, string> },
): void {
  const object = store.get(change.resource, change.metadata.namespace, change.metadata.name);
  if (object === undefined) {
    return;
  }
  const revision = Number(object.metadata.annotations?.[DEPLOYMENT_REVISION_ANNOTATION] ?? "0");
  if (revision < Number(change.annotations[DEPLOYMENT_REVISION_ANNOTATION])) {
    const annotations = { ...object.metadata.annotations, ...change.annotations };
    store.update(change.resource, { ...object, metadata: { ...object.metadata, annotations } }, { manager: MANAGER });
  }
}

function createReplicaSet(
  { store }: ReconcileContext,
  { metadata, spec }: Deployment,
  { hash, annotations }: { hash: string; annotations: Record<string, string> },
): string {
  const { template, selector } = spec;
  const labels = { ...template.metadata?.labels, [DEPLOYMENT_HASH_LABEL]: hash };
  const name = `${metadata.name}-${hash}`;
  const isPrimary = metadata.ownerReferences?.some(({ kind }) => kind === "Canary") === true;
  const podStart = isPrimary ? template.metadata?.annotations?.[PRIMARY_POD_START_ANNOTATION] : undefined;
  store.create(
    "replicasets",
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name,
        namespace: metadata.namespace,
        labels,
        annotations: { ...annotations, ...(podStart === undefined ? {} : { [POD_START_ANNOTATION]: podStart }) },
        ownerReferences: [
          {
            apiVersion: "apps/v1",
            kind: "Deployment",
            name: metadata.name,
            uid: metadata.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec: {
        replicas: 0,
        selector: { matchLabels: { ...selector.matchLabels, [DEPLOYMENT_HASH_LABEL]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
      status: { replicas: 0 },
    },
    { manager: MANAGER },
  );
  return name;
}

function scale({ store }: ReconcileContext, { metadata }: ReplicaSet, replicas: number): void {
  const set = store.get("replicasets", metadata.namespace, metadata.name);
  if (set !== undefined) {
    store.update("replicasets", { ...set, spec: { ...set.spec, replicas } }, { manager: MANAGER });
  }
}

function deleteOldSets({ store }: ReconcileContext, { spec }: Deployment, oldestFirst: readonly ReplicaSet[]): void {
  const limit = spec.revisionHistoryLimit ?? DEFAULT_REVISION_HISTORY_LIMIT;
  for (const { metadata, spec: wanted, status } of oldestFirst.slice(0, Math.max(0, oldestFirst.length - limit))) {
    if (wanted.replicas === 0 && status.replicas === 0) {
      store.delete("replicasets", metadata.namespace, metadata.name);
    }
  }
}

function writeStatus(
  context: ReconcileContext,
  deployment: Deployment,
  { hash, created }: { hash: string; created: string | undefined },
): number | undefined {
  const { namespace, name } = deployment.metadata;
  const latest = context.store.get("deployments", namespace, name);
  if (latest === undefined) {
    return undefined;
  }
  const { newSet, all } = loadSets(context, deployment, hash);
  const status = computeDeploymentStatus(deployment, { newSet, all, created }, context);
  context.store.update("deployments", { ...latest, status }, { manager: MANAGER, subresource: "status" });
  return deadlineWaitMs(deployment, status, context);
}
