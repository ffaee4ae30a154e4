import type { KubeObject, ObjectMeta } from "#sandbox/apiserver/store-types.ts";

/** The parts of argoproj.io/v1alpha1 that the controllers read and write; names as in upstream's CRDs. */
export type PodTemplate = {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: { containers: { name: string; image: string; [field: string]: unknown }[]; [field: string]: unknown };
};

export type TemplateRef = { templateName: string; clusterScope?: boolean };

export type RolloutArgument = {
  name: string;
  value?: string;
  valueFrom?: { podTemplateHashValue?: "Stable" | "Latest"; fieldRef?: { fieldPath: string } };
};

export type RolloutAnalysis = {
  templates?: TemplateRef[];
  args?: RolloutArgument[];
  dryRun?: { metricName: string }[];
  measurementRetention?: { metricName: string; limit: number }[];
  analysisRunMetadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
};

export type ExperimentStepTemplate = {
  name: string;
  specRef: "stable" | "canary";
  replicas?: number;
  weight?: number;
  service?: { name?: string };
  selector?: LabelSelector;
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
};

export type ExperimentStep = {
  templates: ExperimentStepTemplate[];
  duration?: string;
  analyses?: (TemplateRef & { name: string; args?: RolloutArgument[]; requiredForCompletion?: boolean })[];
  dryRun?: { metricName: string }[];
  analysisRunMetadata?: RolloutAnalysis["analysisRunMetadata"];
  scaleDownDelaySeconds?: number;
};

export type CanaryStep = {
  setWeight?: number;
  pause?: { duration?: string | number };
  analysis?: RolloutAnalysis;
  experiment?: ExperimentStep;
  setCanaryScale?: { weight?: number; replicas?: number; matchTrafficWeight?: boolean };
  [field: string]: unknown;
};

export type CanaryStrategy = {
  canaryService?: string;
  stableService?: string;
  steps?: CanaryStep[];
  trafficRouting?: { maxTrafficWeight?: number; [router: string]: unknown };
  analysis?: RolloutAnalysis & { startingStep?: number };
  scaleDownDelaySeconds?: number;
  abortScaleDownDelaySeconds?: number;
  maxSurge?: number | string;
  maxUnavailable?: number | string;
};

export type BlueGreenStrategy = {
  activeService: string;
  previewService?: string;
  previewReplicaCount?: number;
  autoPromotionEnabled?: boolean;
  autoPromotionSeconds?: number;
  scaleDownDelaySeconds?: number;
  scaleDownDelayRevisionLimit?: number;
  abortScaleDownDelaySeconds?: number;
  prePromotionAnalysis?: RolloutAnalysis;
  postPromotionAnalysis?: RolloutAnalysis;
};

export type WorkloadRef = {
  apiVersion: string;
  kind: string;
  name: string;
  scaleDown?: "never" | "onsuccess" | "progressively";
};

export type LabelSelector = { matchLabels?: Record<string, string> };

export type RolloutSpec = {
  replicas?: number;
  selector: LabelSelector;
  /** With a workloadRef, this is the referenced workload's template, filled in by resolve-workload.ts. */
  template: PodTemplate;
  workloadRef?: WorkloadRef;
  strategy: { canary?: CanaryStrategy; blueGreen?: BlueGreenStrategy };
  rollbackWindow?: { revisions?: number };
  revisionHistoryLimit?: number;
  paused?: boolean;
  restartAt?: string;
  progressDeadlineSeconds?: number;
  analysis?: { successfulRunHistoryLimit?: number; unsuccessfulRunHistoryLimit?: number };
};

export type PauseReason = "CanaryPauseStep" | "BlueGreenPause" | "InconclusiveAnalysisRun" | "InconclusiveExperiment";
export type PauseCondition = { reason: PauseReason; startTime: string };

export type ConditionType = "Available" | "Progressing" | "Paused" | "Completed" | "Healthy" | "InvalidSpec";
export type RolloutCondition = {
  type: ConditionType;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  lastUpdateTime: string;
  lastTransitionTime: string;
};

export type RunReference = { name: string; status: string; message?: string };

export type WeightDestination = { weight: number; serviceName?: string; podTemplateHash?: string };

export type TrafficWeights = {
  canary: WeightDestination;
  stable: WeightDestination;
  /** Templates of a running experiment step that have a weight. */
  additional?: WeightDestination[];
};

export type RolloutPhase = "Healthy" | "Degraded" | "Progressing" | "Paused";

export type RolloutStatus = {
  phase?: RolloutPhase;
  message?: string;
  observedGeneration?: string;
  workloadObservedGeneration?: string;
  abort?: boolean;
  abortedAt?: string;
  pauseConditions?: PauseCondition[];
  controllerPause?: boolean;
  promoteFull?: boolean;
  currentStepIndex?: number;
  currentStepHash?: string;
  currentPodHash?: string;
  stableRS?: string;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  HPAReplicas?: number;
  selector?: string;
  restartedAt?: string;
  canary?: {
    weights?: TrafficWeights;
    currentStepAnalysisRunStatus?: RunReference;
    currentBackgroundAnalysisRunStatus?: RunReference;
    currentExperiment?: string;
  };
  blueGreen?: {
    activeSelector?: string;
    previewSelector?: string;
    prePromotionAnalysisRunStatus?: RunReference;
    postPromotionAnalysisRunStatus?: RunReference;
    scaleUpPreviewCheckPoint?: boolean;
  };
  conditions?: RolloutCondition[];
};

export type Rollout = { metadata: ObjectMeta; spec: RolloutSpec; status: RolloutStatus };

export type ReplicaSet = {
  metadata: ObjectMeta;
  spec: { replicas: number; template: PodTemplate; selector?: LabelSelector };
  status: { replicas: number; readyReplicas: number; availableReplicas: number; observedGeneration: number };
};

export const HASH_LABEL = "rollouts-pod-template-hash";
export const REVISION_ANNOTATION = "rollout.argoproj.io/revision";
export const REVISION_HISTORY_ANNOTATION = "rollout.argoproj.io/revision-history";
export const DESIRED_REPLICAS_ANNOTATION = "rollout.argoproj.io/desired-replicas";
export const SCALE_DOWN_DEADLINE_ANNOTATION = "scale-down-deadline";
export const WORKLOAD_GENERATION_ANNOTATION = "rollout.argoproj.io/workload-generation";
export const MANAGED_BY_ANNOTATION = "argo-rollouts.argoproj.io/managed-by-rollouts";

/**
 * Views a stored object as a Rollout. Only the fields above are ever read; an absent status becomes an empty one. The
 * caller has ensured that the object has a spec with selector, template and strategy.
 */
export function viewRollout(object: KubeObject): Rollout {
  return {
    metadata: object.metadata,
    spec: object.spec as RolloutSpec,
    status: (object.status ?? {}) as RolloutStatus,
  };
}

/** Views a stored object as a ReplicaSet; counts absent from its status are zero. */
export function viewReplicaSet(object: KubeObject): ReplicaSet {
  const spec = object.spec as Partial<ReplicaSet["spec"]>;
  const status = (object.status ?? {}) as Partial<ReplicaSet["status"]>;
  return {
    metadata: object.metadata,
    spec: { ...spec, replicas: spec.replicas ?? 1, template: spec.template ?? { spec: { containers: [] } } },
    status: {
      replicas: status.replicas ?? 0,
      readyReplicas: status.readyReplicas ?? 0,
      availableReplicas: status.availableReplicas ?? 0,
      observedGeneration: status.observedGeneration ?? 0,
    },
  };
}

/** Returns whether a Rollout has one strategy and a usable template and selector, or a reference for them. */
export function isManagedRollout(object: KubeObject): boolean {
  const spec = object.spec as Partial<RolloutSpec> | undefined;
  const strategies = [spec?.strategy?.canary, spec?.strategy?.blueGreen].filter((strategy) => strategy != null);
  if (strategies.length !== 1) {
    return false;
  }
  const hasOwnTemplate = spec?.selector?.matchLabels !== undefined && Array.isArray(spec.template?.spec?.containers);
  return spec?.workloadRef != null || hasOwnTemplate;
}

export function revisionOf(metadata: ObjectMeta): number {
  const revision = Number(metadata.annotations?.[REVISION_ANNOTATION] ?? "0");
  return Number.isInteger(revision) ? revision : 0;
}

export function hashOf(replicaSet: ReplicaSet | undefined): string {
  return replicaSet?.metadata.labels?.[HASH_LABEL] ?? "";
}

export function isOwnedBy(object: KubeObject, uid: string): boolean {
  return (object.metadata.ownerReferences ?? []).some((owner) => owner.controller === true && owner.uid === uid);
}

/** A Rollout with its ReplicaSets by role; `stable` is absent on the first deployment. */
export type RolloutParts = {
  rollout: Rollout;
  newSet?: ReplicaSet;
  stable?: ReplicaSet;
  others: ReplicaSet[];
  all: ReplicaSet[];
};
