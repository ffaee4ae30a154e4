import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";

/** Plays the part of kube-controller-manager that counts a Deployment's replicas, but creates no ReplicaSets. */
export function reconcileDeployment({ store }: ReconcileContext, object: KubeObject): void {
  const replicas = typeof object.spec?.replicas === "number" ? object.spec.replicas : 1;
  const counts =
    replicas === 0 ? {} : { replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas };
  const status = { ...counts, observedGeneration: object.metadata.generation ?? 1 };
  store.update("deployments", { ...object, status }, { manager: "kube-controller-manager", subresource: "status" });
}
