import type { KubeObject, Store } from "#sandbox/apiserver/store-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { ROLLOUTS_MANAGER } from "./reconcile-context.ts";
import type { LabelSelector, PodTemplate, Rollout, RolloutSpec } from "./rollout-types.ts";
import { revisionOf, viewRollout, WORKLOAD_GENERATION_ANNOTATION } from "./rollout-types.ts";

export type Resolved = { rollout: Rollout; workload?: KubeObject } | { problem: string };

const PLURALS: Record<string, string> = { "apps/Deployment": "deployments", "apps/ReplicaSet": "replicasets" };

/** Returns the plural of a workloadRef's kind; undefined for kinds whose pod template we do not store. */
export function workloadPlural({ apiVersion, kind }: { apiVersion: string; kind: string }): string | undefined {
  return PLURALS[`${apiVersion.split("/")[0]}/${kind}`];
}

/**
 * Resolves a Rollout with the pod template and selector of its workloadRef, if it has one (rollout/templateref.go
 * Resolve of argo-rollouts at 9f8d111).
 */
export function resolveRollout(store: Store, object: KubeObject): Resolved {
  const rollout = viewRollout(object);
  const { workloadRef, template, selector } = rollout.spec as Partial<RolloutSpec>;
  if (workloadRef == null) {
    return { rollout };
  }
  if (template?.spec !== undefined) {
    return { problem: "template must be empty for workload reference rollout" };
  }
  const plural = workloadPlural(workloadRef);
  if (plural === undefined) {
    const group = workloadRef.apiVersion.includes("/") ? workloadRef.apiVersion.split("/")[0] : "";
    return { problem: `workload of type ${group}/${workloadRef.kind} is not supported` };
  }
  const workload = store.get(plural, object.metadata.namespace, workloadRef.name);
  if (workload === undefined) {
    return { problem: `${plural}.apps "${workloadRef.name}" not found` };
  }
  const found = workload.spec as { template?: PodTemplate; selector?: LabelSelector };
  const resolved: RolloutSpec = {
    ...rollout.spec,
    template: found.template ?? { spec: { containers: [] } },
    selector: selector ?? found.selector ?? {},
  };
  return { rollout: { ...rollout, spec: resolved }, workload };
}

/**
 * Records the workload's generation on the Rollout and returns the newest object (rollout/templateref.go
 * updateRolloutsReferenceAnnotation).
 */
export function noteWorkloadGeneration(
  context: ReconcileContext,
  object: KubeObject,
  workload: KubeObject,
): KubeObject {
  const generation = String(workload.metadata.generation ?? 0);
  if (object.metadata.annotations?.[WORKLOAD_GENERATION_ANNOTATION] === generation) {
    return object;
  }
  const annotations = { ...object.metadata.annotations, [WORKLOAD_GENERATION_ANNOTATION]: generation };
  const metadata = { ...object.metadata, annotations };
  return context.store.update("rollouts", { ...object, metadata }, { manager: ROLLOUTS_MANAGER });
}

/** Returns the current Rollout from the store, with the template that was resolved at the start of the pass. */
export function refreshRollout(rollout: Rollout, object: KubeObject): Rollout {
  return { ...viewRollout(object), spec: rollout.spec };
}

/** Returns whether the Rollout is the first of a Deployment that it takes over in the given way. */
export function isMigrating(rollout: Rollout, scaleDown: "onsuccess" | "progressively"): boolean {
  return revisionOf(rollout.metadata) === 1 && rollout.spec.workloadRef?.scaleDown === scaleDown;
}

/** Scales the referenced Deployment (rollout/scale_utils.go scaleDeployment). */
export function scaleWorkload({ store, log }: ReconcileContext, rollout: Rollout, replicas: number): void {
  const { namespace } = rollout.metadata;
  const name = rollout.spec.workloadRef?.name ?? "";
  const deployment = store.get("deployments", namespace, name);
  const target = Math.max(0, replicas);
  if (deployment === undefined || (deployment.spec?.replicas ?? 1) === target) {
    return;
  }
  store.update(
    "deployments",
    { ...deployment, spec: { ...deployment.spec, replicas: target } },
    { manager: ROLLOUTS_MANAGER },
  );
  log(`scaled Deployment ${namespace}/${name} to ${target}`);
}
