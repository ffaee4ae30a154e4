import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { rolloutObject } from "./announce-changes.ts";
import type { ScaleOrder } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import { desiredReplicas } from "./replica-counts.ts";
import { refreshRollout } from "./resolve-workload.ts";
import { setCondition } from "./rollout-conditions.ts";
import type { ReplicaSet, Rollout, RolloutParts, RolloutStatus } from "./rollout-types.ts";
import {
  DESIRED_REPLICAS_ANNOTATION,
  HASH_LABEL,
  hashOf,
  isOwnedBy,
  REVISION_ANNOTATION,
  REVISION_HISTORY_ANNOTATION,
  revisionOf,
  SCALE_DOWN_DEADLINE_ANNOTATION,
  viewReplicaSet,
} from "./rollout-types.ts";
import { computePodTemplateHash } from "./template-hash.ts";

const DEFAULT_REVISION_HISTORY_LIMIT = 10;

/** Loads the Rollout's ReplicaSets, sorted into the one of the current template, the stable one, and the rest. */
export function loadParts(store: Store, rollout: Rollout): RolloutParts {
  const all = store
    .list("replicasets", rollout.metadata.namespace)
    .filter((object) => isOwnedBy(object, rollout.metadata.uid))
    .map(viewReplicaSet);
  const hash = computePodTemplateHash(rollout.spec.template);
  const newSet = all.find((set) => hashOf(set) === hash);
  const stable = all.find((set) => hashOf(set) === rollout.status.stableRS);
  return { rollout, newSet, stable, all, others: all.filter((set) => set !== newSet && set !== stable) };
}

/**
 * Creates the ReplicaSet of a new template if it is missing, and records it on the Rollout: first the revision, then a
 * condition. Returns true if it did, which ends the pass. The status still describes the previous version. With a pause
 * it does so even at the new generation, since the next pass only sets conditions (rollout/controller.go
 * newRolloutContext, rollout/sync.go createDesiredReplicaSet of argo-rollouts at 1.10.2).
 */
export function ensureNewReplicaSet(context: ReconcileContext, rollout: Rollout): boolean {
  const parts = loadParts(context.store, rollout);
  if (parts.newSet !== undefined) {
    return false;
  }
  const revision = highestRevision(parts) + 1;
  const name = createReplicaSet(context, rollout, revision);
  const updated = writeRevision(context, rollout, String(revision));
  if (updated !== undefined) {
    const status: RolloutStatus = { ...updated.status };
    const message = `Created new replica set "${name}"`;
    setCondition(
      status,
      { type: "Progressing", status: "True", reason: "NewReplicaSetCreated", message },
      context.nowMs,
    );
    context.store.update("rollouts", { ...updated, status }, { manager: ROLLOUTS_MANAGER, subresource: "status" });
  }
  return true;
}

/** Gives the current ReplicaSet the highest revision: an old one that is used again moves its number to the history. */
export function syncRevision(context: ReconcileContext, parts: RolloutParts): RolloutParts {
  const { store } = context;
  const { rollout, newSet } = parts;
  const highest = highestRevision(parts);
  if (newSet !== undefined && revisionOf(newSet.metadata) <= highest) {
    renumber(context, newSet, highest + 1);
  }
  const current = loadParts(store, rollout).newSet;
  const latest = writeRevision(context, rollout, String(revisionOf(current?.metadata ?? rollout.metadata)));
  return loadParts(store, latest === undefined ? rollout : refreshRollout(rollout, latest));
}

function highestRevision({ all, newSet }: RolloutParts): number {
  return Math.max(0, ...all.filter((set) => set !== newSet).map((set) => revisionOf(set.metadata)));
}

/** Writes the revision; returns the newest object of the Rollout, or undefined if it is gone. */
function writeRevision({ store, events }: ReconcileContext, rollout: Rollout, revision: string) {
  const latest = store.get("rollouts", rollout.metadata.namespace, rollout.metadata.name);
  if (latest === undefined || latest.metadata.annotations?.[REVISION_ANNOTATION] === revision) {
    return latest;
  }
  const metadata = annotate(latest, { [REVISION_ANNOTATION]: revision });
  const updated = store.update("rollouts", { ...latest, metadata }, { manager: ROLLOUTS_MANAGER });
  events.emit(updated, { reason: "RolloutUpdated", message: `Rollout updated to revision ${revision}` });
  return updated;
}

function createReplicaSet({ store, log, events }: ReconcileContext, rollout: Rollout, revision: number): string {
  const hash = computePodTemplateHash(rollout.spec.template);
  const { template, selector } = rollout.spec;
  const labels = { ...template.metadata?.labels, [HASH_LABEL]: hash };
  const name = `${rollout.metadata.name}-${hash}`;
  store.create(
    "replicasets",
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name,
        namespace: rollout.metadata.namespace,
        labels,
        annotations: {
          [REVISION_ANNOTATION]: String(revision),
          [DESIRED_REPLICAS_ANNOTATION]: String(desiredReplicas(rollout)),
        },
        ownerReferences: [ownerReference(rollout)],
      },
      spec: {
        replicas: 0,
        selector: { matchLabels: { ...selector.matchLabels, [HASH_LABEL]: hash } },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
      status: { replicas: 0 },
    },
    { manager: ROLLOUTS_MANAGER },
  );
  log(`created ReplicaSet ${rollout.metadata.namespace}/${name} (revision ${revision})`);
  const message = `Created ReplicaSet ${name} (revision ${revision})`;
  events.emit(rolloutObject(rollout), { reason: "NewReplicaSetCreated", message });
  return name;
}

function renumber({ store }: ReconcileContext, set: ReplicaSet, revision: number): void {
  const latest = store.get("replicasets", set.metadata.namespace, set.metadata.name);
  if (latest === undefined) {
    return;
  }
  const former = revisionOf(latest.metadata);
  const history = latest.metadata.annotations?.[REVISION_HISTORY_ANNOTATION];
  const metadata = annotate(latest, {
    [REVISION_ANNOTATION]: String(revision),
    [REVISION_HISTORY_ANNOTATION]: history === undefined ? String(former) : `${history},${former}`,
  });
  store.update("replicasets", { ...latest, metadata }, { manager: ROLLOUTS_MANAGER });
}

/** Carries out one scaling order; returns true if the replica count really changed. */
export function scaleReplicaSet({ store, events }: ReconcileContext, rollout: Rollout, order: ScaleOrder): boolean {
  const latest = store.get("replicasets", order.set.metadata.namespace, order.set.metadata.name);
  if (latest === undefined) {
    return false;
  }
  const metadata = annotate(latest, { [DESIRED_REPLICAS_ANNOTATION]: String(desiredReplicas(rollout)) });
  const annotations = { ...metadata.annotations };
  delete annotations[SCALE_DOWN_DEADLINE_ANNOTATION];
  if (order.deadline !== undefined) {
    annotations[SCALE_DOWN_DEADLINE_ANNOTATION] = order.deadline;
  }
  const spec = { ...latest.spec, replicas: order.replicas };
  store.update(
    "replicasets",
    { ...latest, metadata: { ...metadata, annotations }, spec },
    { manager: ROLLOUTS_MANAGER },
  );
  const before = viewReplicaSet(latest).spec.replicas;
  if (before === order.replicas) {
    return false;
  }
  const direction = before < order.replicas ? "up" : "down";
  const set = `ReplicaSet ${latest.metadata.name} (revision ${revisionOf(latest.metadata)})`;
  const message = `Scaled ${direction} ${set} from ${before} to ${order.replicas}`;
  events.emit(rolloutObject(rollout), { reason: "ScalingReplicaSet", message });
  return true;
}

/** Deletes the oldest ReplicaSets beyond revisionHistoryLimit; those that still have replicas stay. */
export function deleteOldReplicaSets({ store }: ReconcileContext, parts: RolloutParts): void {
  const limit = parts.rollout.spec.revisionHistoryLimit ?? DEFAULT_REVISION_HISTORY_LIMIT;
  const oldestFirst = [...parts.others].sort((left, right) => revisionOf(left.metadata) - revisionOf(right.metadata));
  for (const set of oldestFirst.slice(0, Math.max(0, oldestFirst.length - limit))) {
    if (set.spec.replicas !== 0 || set.status.replicas !== 0) {
      continue;
    }
    store.delete("replicasets", set.metadata.namespace, set.metadata.name);
    for (const plural of ["analysisruns", "experiments"]) {
      for (const owned of store.list(plural, set.metadata.namespace)) {
        if (isOwnedBy(owned, parts.rollout.metadata.uid) && owned.metadata.labels?.[HASH_LABEL] === hashOf(set)) {
          store.delete(plural, owned.metadata.namespace, owned.metadata.name);
        }
      }
    }
  }
}

export function ownerReference(rollout: Rollout) {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    name: rollout.metadata.name,
    uid: rollout.metadata.uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

function annotate(object: KubeObject, annotations: Record<string, string>): KubeObject["metadata"] {
  return { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } };
}
