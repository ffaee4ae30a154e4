import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import { rolloutObject } from "./announce-changes.ts";
import type { ScaleOrder } from "./plan-scaling.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { RolloutParts } from "./replica-counts.ts";
import { desiredReplicas } from "./replica-counts.ts";
import { refreshRollout } from "./resolve-workload.ts";
import type { ReplicaSet, Rollout } from "./rollout-types.ts";
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

/** The Rollout's ReplicaSets, sorted into the one of the current template, the stable one, and the rest. */
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
 * Creates the ReplicaSet of a new template, and gives the current one the highest revision: an old template that
 * comes back gets a new number, its old one moves to the history annotation.
 */
export function syncRevision(context: ReconcileContext, parts: RolloutParts): RolloutParts {
  const { store } = context;
  const { rollout, newSet } = parts;
  const highest = Math.max(0, ...parts.all.filter((set) => set !== newSet).map((set) => revisionOf(set.metadata)));
  if (newSet === undefined) {
    createReplicaSet(context, rollout, highest + 1);
  } else if (revisionOf(newSet.metadata) <= highest) {
    renumber(context, newSet, highest + 1);
  }
  const current = loadParts(store, rollout).newSet;
  const revision = String(revisionOf(current?.metadata ?? rollout.metadata));
  const latest = store.get("rollouts", rollout.metadata.namespace, rollout.metadata.name);
  if (latest !== undefined && latest.metadata.annotations?.[REVISION_ANNOTATION] !== revision) {
    const metadata = annotate(latest, { [REVISION_ANNOTATION]: revision });
    const updated = store.update("rollouts", { ...latest, metadata }, { manager: ROLLOUTS_MANAGER });
    const message = `Rollout updated to revision ${revision}`;
    context.events.emit(updated, { reason: "RolloutUpdated", message });
    return loadParts(store, refreshRollout(rollout, updated));
  }
  return loadParts(store, latest === undefined ? rollout : refreshRollout(rollout, latest));
}

function createReplicaSet({ store, log, events }: ReconcileContext, rollout: Rollout, revision: number): void {
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

/** Carries out one order; true where the replica count really changed. */
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
