import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { AnalysisPhase, Argument } from "#lib/domain/argo/analysis/types.ts";
import type { KubeObject } from "#sandbox/apiserver/store-types.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import type { LabelSelector, PodTemplate, RolloutAnalysis, RolloutCondition, TemplateRef } from "./rollout-types.ts";

/** The parts of argoproj.io/v1alpha1 Experiment that the controllers read and write; names as in upstream's CRD. */
export type ExperimentTemplate = {
  name: string;
  replicas?: number;
  selector?: LabelSelector;
  template: PodTemplate;
  service?: { name?: string };
};

export type ExperimentAnalysis = TemplateRef & {
  name: string;
  args?: readonly Argument[];
  requiredForCompletion?: boolean;
};

export type ExperimentSpec = {
  templates: ExperimentTemplate[];
  analyses?: ExperimentAnalysis[];
  duration?: string;
  progressDeadlineSeconds?: number;
  terminate?: boolean;
  scaleDownDelaySeconds?: number;
  dryRun?: { metricName: string }[];
  measurementRetention?: { metricName: string; limit: number }[];
  analysisRunMetadata?: RolloutAnalysis["analysisRunMetadata"];
};

export type TemplateState = "Progressing" | "Running" | "Successful" | "Failed" | "Error";

export type TemplateStatus = {
  name: string;
  replicas: number;
  updatedReplicas: number;
  readyReplicas: number;
  availableReplicas: number;
  status?: TemplateState;
  message?: string;
  lastTransitionTime?: string;
  serviceName?: string;
  podTemplateHash?: string;
};

export type ExperimentRunStatus = { name: string; analysisRun: string; phase?: AnalysisPhase; message?: string };

export type ExperimentStatus = {
  phase?: AnalysisPhase;
  message?: string;
  availableAt?: string;
  templateStatuses?: TemplateStatus[];
  analysisRuns?: ExperimentRunStatus[];
  conditions?: (Omit<RolloutCondition, "type"> & { type: "Progressing" | "InvalidSpec" })[];
};

export type Experiment = { metadata: KubeObject["metadata"]; spec: ExperimentSpec; status: ExperimentStatus };

export const EXPERIMENT_NAME_ANNOTATION = "experiment.argoproj.io/name";
export const TEMPLATE_NAME_ANNOTATION = "experiment.argoproj.io/template-name";

/** An Experiment at the start of a pass, with values derived from it. */
export type ExperimentPass = {
  context: ReconcileContext;
  experiment: Experiment;
  object: KubeObject;
  isTerminating: boolean;
  hasPassed: boolean;
};

/** Returns the owner reference for objects that an Experiment creates. */
export function experimentReference({ metadata }: Pick<KubeObject, "metadata">) {
  const { name, uid } = metadata;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** Views a stored object as an Experiment; absent fields become empty. */
export function viewExperiment(object: KubeObject): Experiment {
  const spec = (object.spec ?? {}) as Partial<ExperimentSpec>;
  return {
    metadata: object.metadata,
    spec: { ...spec, templates: spec.templates ?? [] },
    status: (object.status ?? {}) as ExperimentStatus,
  };
}

export function isTemplateDone(status: TemplateState | undefined): boolean {
  return status === "Successful" || status === "Failed" || status === "Error";
}

/**
 * Returns whether it was told to end, has ended, or something in it failed (utils/experiment/experiment.go
 * IsTerminating at 9f8d111).
 */
export function isTerminating({ spec, status }: Experiment): boolean {
  const isBroken = (status.templateStatuses ?? []).some(({ status }) => status === "Failed" || status === "Error");
  const isBad = (status.analysisRuns ?? []).some(({ phase }) => isCompleted(phase) && phase !== "Successful");
  return (
    spec.terminate === true || isCompleted(status.phase) || isBroken || isBad || hasRequiredSuccess({ spec, status })
  );
}

/** Returns whether at least one analysis is required for completion, and all such analyses are Successful. */
export function hasRequiredSuccess({ spec, status }: Pick<Experiment, "spec" | "status">): boolean {
  const required = (spec.analyses ?? []).filter(({ requiredForCompletion }) => requiredForCompletion === true);
  return (
    required.length > 0 &&
    required.every(({ name }) => (status.analysisRuns ?? []).find((run) => run.name === name)?.phase === "Successful")
  );
}
