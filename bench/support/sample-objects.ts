import type { KubeObject, KubeObjectInput } from "#sandbox/apiserver/store-types.ts";

const begin = Date.parse("2026-11-20T10:00:00Z");
export const group = "argoproj.io/v1alpha1";

/** Formats a time in whole seconds, as Kubernetes does. */
export function timeText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

export const namespaceOf = (index: number): string => `team-${index % 20}`;

/** Returns what a server adds for every writer, and the recorder must read and drop. */
function managedFields(fields: readonly string[]): unknown[] {
  const names = Object.fromEntries(fields.map((field) => [`f:${field}`, { ".": {}, "f:value": {}, "f:phase": {} }]));
  const entry = { apiVersion: group, fieldsType: "FieldsV1", time: timeText(begin) };
  return [
    { ...entry, manager: "kubectl-client-side-apply", operation: "Update", fieldsV1: { "f:spec": names } },
    { ...entry, manager: "rollouts-controller", operation: "Update", fieldsV1: { "f:status": names } },
  ];
}

export function sampleRollout(index: number): KubeObjectInput {
  const name = `rollout-${index}`;
  const containers = ["app", "proxy"].map((container) => ({
    name: container,
    image: `registry.example/${container}:${index}`,
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" }],
    env: Array.from({ length: 12 }, (_, at) => ({ name: `SETTING_${at}`, value: `value-${at}-of-${name}` })),
    resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "256Mi" } },
    readinessProbe: { httpGet: { path: "/ready", port: "http" }, periodSeconds: 5 },
  }));
  return {
    apiVersion: group,
    kind: "Rollout",
    metadata: {
      name,
      namespace: namespaceOf(index),
      uid: rolloutUid(index),
      generation: 1,
      labels: { app: name, team: namespaceOf(index) },
      annotations: { "rollout.argoproj.io/revision": "1" },
      managedFields: managedFields(["replicas", "selector", "template", "strategy", "conditions", "currentPodHash"]),
    },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers } },
      strategy: {
        canary: {
          steps: [
            { setWeight: 20 },
            { pause: { duration: "10m" } },
            { analysis: { templates: [{ templateName: "success-rate" }] } },
            { setWeight: 60 },
            { pause: {} },
          ],
        },
      },
    },
    status: rolloutStatus(0),
  };
}

/** Returns a status; each `change` is another state of what decisions depend on. */
export function rolloutStatus(change: number): Record<string, unknown> {
  return {
    phase: "Progressing",
    message: `change ${change}`,
    observedGeneration: "1",
    currentPodHash: "aaa",
    stableRS: "aaa",
    currentStepIndex: change % 5,
    replicas: 5,
    updatedReplicas: 5,
    readyReplicas: 5,
    availableReplicas: 5,
    conditions: [
      { type: "Available", status: "True", reason: "AvailableReason", lastTransitionTime: timeText(begin) },
      { type: "Progressing", status: "True", reason: "ReplicaSetUpdated", lastTransitionTime: timeText(begin) },
    ],
  };
}

export const rolloutUid = (index: number): string => `10000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
export const runUid = (index: number): string => `20000000-0000-4000-8000-${String(index).padStart(12, "0")}`;

export type RunSize = { metrics: number; measurements: number };

/** Returns a finished run, with the newest measurements of each of its metrics. */
export function sampleRun(index: number, { metrics, measurements }: RunSize): KubeObjectInput {
  const names = Array.from({ length: metrics }, (_, metric) => `metric-${metric}`);
  const startedAt = begin - (index % 10_000) * 1000;
  return {
    apiVersion: group,
    kind: "AnalysisRun",
    metadata: {
      name: `run-${index}`,
      namespace: namespaceOf(index),
      uid: runUid(index),
      labels: { "rollout-type": "Background", "rollouts-pod-template-hash": "aaa" },
      ownerReferences: [
        {
          apiVersion: group,
          kind: "Rollout",
          name: `rollout-${index % 10_000}`,
          uid: rolloutUid(index % 10_000),
          controller: true,
        },
      ],
      managedFields: managedFields(["metrics", "args", "metricResults", "phase"]),
    },
    spec: runSpec(names),
    status: {
      phase: "Successful",
      startedAt: timeText(startedAt),
      completedAt: timeText(startedAt + measurements * 30_000),
      metricResults: names.map((name) => ({
        name,
        phase: "Successful",
        count: measurements,
        successful: measurements,
        measurements: Array.from({ length: measurements }, (_, at) => ({
          phase: "Successful",
          value: `[0.9${(index + at) % 90}]`,
          startedAt: timeText(startedAt + at * 30_000),
          finishedAt: timeText(startedAt + at * 30_000 + 1000),
        })),
      })),
    },
  };
}

export function runSpec(metrics: readonly string[]): Record<string, unknown> {
  return {
    metrics: metrics.map((name) => ({
      name,
      interval: "30s",
      successCondition: "result[0] >= 0.95",
      failureLimit: 3,
      provider: {
        prometheus: {
          address: "http://prometheus.monitoring:9090",
          query:
            'sum(rate(http_requests_total{job="shop",code!~"5.*"}[5m])) / sum(rate(http_requests_total{job="shop"}[5m]))',
        },
      },
    })),
  };
}

/** Returns a copy whose status may be replaced: the store freezes what it returns. */
export function withStatus(object: KubeObject, status: Record<string, unknown>): KubeObject {
  return { ...object, status };
}
