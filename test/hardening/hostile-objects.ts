const metadata = (kind: string) => ({
  name: "app",
  namespace: "shop",
  uid: `uid-${kind}`,
  resourceVersion: "7",
  generation: 3,
  creationTimestamp: "2026-11-20T09:00:00Z",
  labels: { app: "app" },
  annotations: { "rollout.argoproj.io/revision": "2" },
  ownerReferences: [{ apiVersion: "v1", kind: "Stage", name: "stage", uid: "u" }],
  finalizers: ["x"],
  managedFields: [
    {
      manager: "kubectl",
      operation: "Update",
      apiVersion: "v1",
      time: "2026-11-20T09:00:00Z",
      fieldsV1: { "f:spec": {} },
    },
  ],
});
const template = {
  metadata: { labels: { app: "app" } },
  spec: {
    containers: [{ name: "app", image: "shop:1", args: ["--x"], env: [{ name: "PASSWORD", value: "hidden-value" }] }],
    initContainers: [{ name: "init", image: "shop:1" }],
    volumes: [{ name: "v", emptyDir: {} }],
  },
};
const args = [{ name: "rate", value: "0.95" }];
const analysis = { templates: [{ templateName: "success" }], args, dryRun: [{ metricName: "rate" }] };
const condition = {
  type: "Progressing",
  status: "True",
  reason: "RolloutPaused",
  message: "Rollout is paused",
  lastUpdateTime: "2026-11-20T09:30:00Z",
  lastTransitionTime: "2026-11-20T09:30:00Z",
};
const metric = {
  name: "rate",
  interval: "10s",
  count: 3,
  successCondition: "result[0] >= {{args.rate}}",
  failureCondition: "result[0] < 0.5",
  provider: { web: { url: "http://a", headers: [{ key: "k", value: "{{args.rate}}" }] } },
};
const measured = {
  phase: "Successful",
  value: "[1]",
  startedAt: "2026-11-20T09:30:00Z",
  finishedAt: "2026-11-20T09:30:01Z",
};
const revisions = { podTemplateSpecHash: "aaa", name: "r", phase: "Running", status: "Running" };

/** One object of each kind that is read on an event loop, with each list that matters. */
export const hostileObjects = {
  Rollout: {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: metadata("rollout"),
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "app" } },
      template,
      strategy: {
        canary: {
          analysis,
          steps: [
            { setWeight: 20 },
            { pause: {} },
            { analysis },
            {
              experiment: {
                templates: [{ name: "canary", specRef: "canary" }],
                analyses: [{ name: "a", templateName: "success", args }],
              },
            },
            { setHeaderRoute: { name: "h", match: [{ headerName: "a", headerValue: { exact: "b" } }] } },
          ],
          trafficRouting: { nginx: { stableIngresses: ["i"] }, managedRoutes: [{ name: "h" }] },
        },
      },
    },
    status: {
      currentPodHash: "bbb",
      stableRS: "aaa",
      currentStepIndex: 1,
      observedGeneration: "3",
      phase: "Paused",
      message: "CanaryPauseStep",
      replicas: 2,
      conditions: [condition],
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T09:30:00Z" }],
      canary: {
        currentStepAnalysisRunStatus: revisions,
        currentBackgroundAnalysisRunStatus: revisions,
        weights: { canary: { weight: 20 }, stable: { weight: 80 }, additional: [{ weight: 0, podTemplateHash: "c" }] },
        stepPluginStatuses: [{ index: 1, name: "p", phase: "Running", operation: "Run" }],
      },
    },
  },
  Canary: {
    apiVersion: "flagger.app/v1beta1",
    kind: "Canary",
    metadata: metadata("canary"),
    spec: {
      targetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "app" },
      service: { port: 80, hosts: ["h"], gateways: ["g"], match: [{ uri: { prefix: "/" } }] },
      analysis: {
        interval: "10s",
        threshold: 3,
        maxWeight: 50,
        stepWeights: [10, 20],
        metrics: [
          { name: "success", interval: "1m", thresholdRange: { min: 99 }, templateRef: { name: "t", namespace: "n" } },
        ],
        webhooks: [{ name: "gate", type: "confirm-rollout", url: "http://h/x", metadata: { a: "b" } }],
        alerts: [{ name: "a", severity: "info", providerRef: { name: "p" } }],
        match: [{ headers: { a: { exact: "b" } } }],
      },
    },
    status: {
      phase: "Progressing",
      canaryWeight: 10,
      failedChecks: 0,
      iterations: 0,
      lastAppliedSpec: "abc",
      lastPromotedSpec: "abb",
      lastTransitionTime: "2026-11-20T09:30:00Z",
      trackedConfigs: { "configmap/a": "1" },
      conditions: [{ ...condition, type: "Promoted", reason: "Progressing", status: "Unknown" }],
    },
  },
  AnalysisRun: {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: metadata("run"),
    spec: {
      args,
      metrics: [metric],
      dryRun: [{ metricName: "rate" }],
      measurementRetention: [{ metricName: "rate", limit: 5 }],
    },
    status: {
      phase: "Running",
      startedAt: "2026-11-20T09:30:00Z",
      runSummary: { count: 1, successful: 1 },
      metricResults: [
        {
          name: "rate",
          phase: "Running",
          count: 1,
          successful: 1,
          metadata: { a: "b" },
          measurements: [{ ...measured, metadata: { a: "b" } }],
        },
      ],
    },
  },
  Experiment: {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    metadata: metadata("experiment"),
    spec: {
      duration: "5m",
      templates: [{ name: "canary", replicas: 1, selector: { matchLabels: { app: "app" } }, template }],
      analyses: [{ name: "compare", templateName: "success", args, requiredForCompletion: true }],
      dryRun: [{ metricName: "rate" }],
    },
    status: {
      phase: "Running",
      availableAt: "2026-11-20T09:30:00Z",
      conditions: [condition],
      templateStatuses: [{ name: "canary", replicas: 1, status: "Running", availableReplicas: 1 }],
      analysisRuns: [{ name: "compare", analysisRun: "run", phase: "Running" }],
    },
  },
  AnalysisTemplate: {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisTemplate",
    metadata: metadata("template"),
    spec: {
      args: [...args, { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
      metrics: [metric],
      dryRun: [{ metricName: "rate" }],
      templates: [{ templateName: "other", clusterScope: true }],
    },
  },
} as const;
