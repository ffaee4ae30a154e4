import type { KubeObject, ObjectMeta } from "#sandbox/apiserver/store-types.ts";
import type { LabelSelector, PodTemplate } from "./rollout-types.ts";

export type DeploymentCondition = {
  type: "Available" | "Progressing";
  status: "True" | "False";
  reason: string;
  message: string;
  lastUpdateTime: string;
  lastTransitionTime: string;
};

/** Counts that are zero are absent, as the real controller leaves them out. */
export type DeploymentStatus = {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  conditions?: DeploymentCondition[];
};

export type DeploymentSpec = {
  replicas?: number;
  selector: LabelSelector;
  template: PodTemplate;
  strategy?: { type?: string; rollingUpdate?: { maxSurge?: number | string; maxUnavailable?: number | string } };
  progressDeadlineSeconds?: number;
  minReadySeconds?: number;
  revisionHistoryLimit?: number;
};

export type Deployment = {
  metadata: ObjectMeta;
  spec: DeploymentSpec & { replicas: number };
  status: DeploymentStatus;
};

export const DEPLOYMENT_REVISION_ANNOTATION = "deployment.kubernetes.io/revision";
export const DEPLOYMENT_HASH_LABEL = "pod-template-hash";

/** Views a stored object as a Deployment; undefined if it has no pods or no selector to run. */
export function viewDeployment(object: KubeObject): Deployment | undefined {
  const spec = object.spec as Partial<DeploymentSpec> | undefined;
  if (spec?.selector?.matchLabels === undefined || !Array.isArray(spec.template?.spec?.containers)) {
    return undefined;
  }
  return {
    metadata: object.metadata,
    spec: { ...(spec as DeploymentSpec), replicas: spec.replicas ?? 1 },
    status: (object.status ?? {}) as DeploymentStatus,
  };
}

export function findDeploymentCondition(
  { conditions }: DeploymentStatus,
  type: DeploymentCondition["type"],
): DeploymentCondition | undefined {
  return conditions?.find((condition) => condition.type === type);
}
