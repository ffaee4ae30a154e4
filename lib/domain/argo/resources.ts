import { type ApiResource, deployments } from "#lib/domain/kube/api-resource.ts";

const argo = { group: "argoproj.io", version: "v1alpha1" };

export const rollouts: ApiResource = { ...argo, name: "rollouts" };
export const analysisRuns: ApiResource = { ...argo, name: "analysisruns" };
export const experiments: ApiResource = { ...argo, name: "experiments" };

/** What the plans of this provider patch, by kind. */
export const patchedResources: Readonly<Record<string, ApiResource>> = {
  Rollout: rollouts,
  AnalysisRun: analysisRuns,
  Experiment: experiments,
  Deployment: deployments,
};
