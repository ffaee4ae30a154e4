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
