/** How a role names the resource of each watched kind; the most interesting first. */
export const resourceOfKind: Readonly<Record<string, string>> = {
  Rollout: "rollouts.argoproj.io",
  Canary: "canaries.flagger.app",
  MetricTemplate: "metrictemplates.flagger.app",
  AnalysisRun: "analysisruns.argoproj.io",
  AnalysisTemplate: "analysistemplates.argoproj.io",
  ClusterAnalysisTemplate: "clusteranalysistemplates.argoproj.io",
  Experiment: "experiments.argoproj.io",
  ReplicaSet: "replicasets.apps",
  Pod: "pods",
  Deployment: "deployments.apps",
  DaemonSet: "daemonsets.apps",
  Event: "events",
};
