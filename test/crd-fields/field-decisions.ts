type Decisions = Readonly<Record<string, string>>;

/** Of an AnalysisRun, an Experiment and the templates alike. */
const secrets: Decisions = {
  "spec.args[].value": "Beside `valueFrom` it is redacted, as the value of a secret.",
  "spec.metrics[].provider.prometheus.authentication.oauth2.clientSecret": "Redacted.",
};

/** By kind and path: fields of CRDs that the record lacks, and why. All others must be in it. */
export const leftOut: Readonly<Record<string, Decisions>> = {
  Rollout: {},
  AnalysisRun: {
    ...secrets,
    "status.metricResults[].measurements[].resumeAt":
      "Set only until the measurement ends: when the controller asks the Job or the provider again.",
  },
  Experiment: { "spec.analyses[].args[].value": "Beside `valueFrom` it is redacted, as the value of a secret." },
  AnalysisTemplate: secrets,
  ClusterAnalysisTemplate: secrets,
  Canary: {},
  MetricTemplate: {},
  AlertProvider: {},
};

/** The object as it is recorded: on the tab Object of a rollout, in exports of evidence and in the API. */
const whole = "object";

function at(place: string, prefix: string, names: string): Decisions {
  return Object.fromEntries(names.split(" ").map((name) => [`${prefix}${name}`, place]));
}

const conditions = "type status reason message lastTransitionTime lastUpdateTime";
const counts = "count successful failed inconclusive error";
const runStatus = "name status message";

/** By kind: where each field of a status is shown, beyond the object as a whole. A new field has to be decided about. */
export const shownAt: Readonly<Record<string, Decisions>> = {
  Rollout: {
    ...at(
      "rollout",
      "status.",
      "phase message abort promoteFull controllerPause currentStepIndex currentPodHash stableRS replicas updatedReplicas readyReplicas availableReplicas",
    ),
    ...at("rollout", "status.pauseConditions[].", "reason startTime"),
    ...at("rollout", "status.conditions[].", conditions),
    ...at("rollout", "status.canary.weights.canary.", "weight"),
    ...at("rollout", "status.canary.currentStepAnalysisRunStatus.", runStatus),
    ...at("rollout", "status.canary.currentBackgroundAnalysisRunStatus.", runStatus),
    ...at("rollout", "status.canary.", "currentExperiment"),
    ...at(
      "rollout",
      "status.canary.stepPluginStatuses[].",
      "index name operation phase message executions backoff disabled startedAt updatedAt finishedAt",
    ),
    ...at("rollout", "status.blueGreen.prePromotionAnalysisRunStatus.", runStatus),
    ...at("rollout", "status.blueGreen.postPromotionAnalysisRunStatus.", runStatus),
    // Decided by: releases, freshness and plans of actions, which say it in their own words.
    ...at("derived", "status.", "abortedAt observedGeneration workloadObservedGeneration currentStepHash restartedAt"),
    ...at("derived", "status.blueGreen.", "activeSelector previewSelector"),
    ...at("derived", "status.canary.", "stablePingPong"),
    // Of routers and autoscalers, or of a plugin alone: no decision depends on them.
    ...at(whole, "status.", "HPAReplicas collisionCount selector alb albs[]"),
    ...at(whole, "status.blueGreen.", "scaleUpPreviewCheckPoint"),
    ...at(whole, "status.canary.stepPluginStatuses[].", "status"),
    ...at(whole, "status.canary.weights.canary.", "podTemplateHash serviceName"),
    ...at(whole, "status.canary.weights.", "stable additional[] verified"),
    // The controller's own times of a release. Gatehouse has those of each step.
    ...at(whole, "status.", "duration"),
  },
  AnalysisRun: {
    ...at("run", "status.", "phase message startedAt completedAt"),
    ...at("run", "status.runSummary.", counts),
    ...at("run", "status.dryRunSummary.", counts),
    ...at("run", "status.metricResults[].", `name phase message dryRun ${counts} consecutiveError consecutiveSuccess`),
    ...at("run", "status.metricResults[].metadata.", "*"),
    ...at("run", "status.metricResults[].measurements[].", "phase value message startedAt finishedAt metadata.*"),
    ...at("left out", "status.metricResults[].measurements[].", "resumeAt"),
  },
  Experiment: {
    ...at("experiment", "status.", "phase message availableAt"),
    ...at("experiment", "status.conditions[].", conditions),
    ...at("experiment", "status.analysisRuns[].", "name analysisRun phase message"),
    ...at(
      "experiment",
      "status.templateStatuses[].",
      "name status message replicas readyReplicas availableReplicas updatedReplicas podTemplateHash serviceName lastTransitionTime",
    ),
    ...at(whole, "status.templateStatuses[].", "collisionCount"),
  },
  AnalysisTemplate: {},
  ClusterAnalysisTemplate: {},
  Canary: {
    ...at("rollout", "status.", "phase canaryWeight failedChecks iterations lastTransitionTime"),
    ...at("rollout", "status.conditions[].", conditions),
    ...at("derived", "status.", "lastAppliedSpec lastPromotedSpec trackedConfigs.*"),
    ...at(whole, "status.", "previousSessionAffinityCookie primarySessionAffinityCookie sessionAffinityCookie"),
  },
  MetricTemplate: {},
  AlertProvider: {},
};
