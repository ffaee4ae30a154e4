import { sharedKinds } from "#lib/domain/kube/watched-kind.ts";

/** How a role names the resource of each watched kind; the most interesting first. */
export const resourceOfKind: Readonly<Record<string, string>> = {
  Rollout: "rollouts.argoproj.io",
  Canary: "canaries.flagger.app",
  MetricTemplate: "metrictemplates.flagger.app",
  AnalysisRun: "analysisruns.argoproj.io",
  AnalysisTemplate: "analysistemplates.argoproj.io",
  ClusterAnalysisTemplate: "clusteranalysistemplates.argoproj.io",
  Experiment: "experiments.argoproj.io",
  DaemonSet: "daemonsets.apps",
  ...Object.fromEntries(
    [...sharedKinds.first, ...sharedKinds.last].map(({ kind, resource: { group, name } }) => [
      kind,
      group === "" ? name : `${name}.${group}`,
    ]),
  ),
};
