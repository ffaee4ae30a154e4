import { type ApiResource, deployments } from "#lib/domain/kube/api-resource.ts";
import type { WatchedKind } from "#lib/domain/kube/watched-kind.ts";

const argo = { group: "argoproj.io", version: "v1alpha1" };

export const rollouts: ApiResource = { ...argo, name: "rollouts" };
export const analysisRuns: ApiResource = { ...argo, name: "analysisruns" };
export const experiments: ApiResource = { ...argo, name: "experiments" };

export const watchedKinds: readonly WatchedKind[] = [
  { kind: "Experiment", resource: experiments, recordedAs: "experiment", vanished: "unobserved" },
  { kind: "Rollout", resource: rollouts, recordedAs: "rollout", vanished: "absent", holdsDisappearance: true },
  { kind: "AnalysisRun", resource: analysisRuns, recordedAs: "analysis-run", vanished: "unobserved" },
  {
    kind: "AnalysisTemplate",
    resource: { ...argo, name: "analysistemplates" },
    recordedAs: "analysis-template",
    vanished: "absent",
    holdsDisappearance: true,
  },
  {
    kind: "ClusterAnalysisTemplate",
    resource: { ...argo, name: "clusteranalysistemplates" },
    recordedAs: "analysis-template",
    vanished: "absent",
    holdsDisappearance: true,
    isClusterScoped: true,
  },
];

/** The resources that this provider's plans patch, by kind. */
export const patchedResources: Readonly<Record<string, ApiResource>> = {
  Rollout: rollouts,
  AnalysisRun: analysisRuns,
  Experiment: experiments,
  Deployment: deployments,
};

const goingOn = ["status.pauseConditions", "status.currentStepIndex", "status.controllerPause"];

/**
 * The fields that clients write to make a change, as kubectl argo rollouts does (pkg/kubectl-argo-rollouts/cmd of
 * v1.10.2).
 */
export const writtenFields: Readonly<Record<string, readonly string[]>> = {
  abort: ["status.abort"],
  retry: ["status.abort"],
  continue: goingOn,
  "accept-step": goingOn,
  "measure-again": goingOn,
  "continue-waive": goingOn,
  "skip-step": goingOn,
  "skip-all": goingOn,
  "promote-full": ["status.promoteFull"],
  pause: ["spec.paused"],
  unpause: ["spec.paused"],
  restart: ["spec.restartAt"],
  undo: ["spec.template"],
  terminate: ["spec.terminate"],
};
