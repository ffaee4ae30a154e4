import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";

type MeasurementSample = {
  phase: string;
  value?: string;
  startedAt: string;
  finishedAt?: string;
  message?: string;
  metadata?: Record<string, string>;
};

const begin = Date.parse("2026-11-20T10:00:00Z");

/** Returns the time `seconds` after a fixed start. */
export function at(seconds: number): string {
  return new Date(begin + seconds * 1000).toISOString().replace(".000Z", "Z");
}

export function measurements(from: number, to: number): MeasurementSample[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({
    phase: "Successful",
    value: String(from + index),
    startedAt: at((from + index) * 10),
    finishedAt: at((from + index) * 10 + 1),
  }));
}

export function sampleRun(options: {
  name: string;
  namespace?: string;
  phase?: string;
  metrics?: { name: string; measurements: MeasurementSample[]; count: number; error?: number }[];
  labels?: Record<string, string>;
  owner?: { kind: string; name: string; uid: string };
  spec?: Record<string, unknown>;
  message?: string;
}): KubeObjectInput {
  const { name, namespace = "shop", phase = "Running", metrics = [], labels = {}, owner, spec, message = "" } = options;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "AnalysisRun",
    metadata: {
      name,
      namespace,
      labels,
      ...(owner === undefined
        ? {}
        : { ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", controller: true, ...owner }] }),
    },
    spec: {
      metrics: metrics.map((metric) => ({
        name: metric.name,
        interval: "10s",
        provider: { prometheus: { query: "up" } },
      })),
      ...spec,
    },
    status: {
      phase,
      message,
      startedAt: at(0),
      ...(["Pending", "Running"].includes(phase) ? {} : { completedAt: at(1000) }),
      metricResults: metrics.map((metric) => ({
        name: metric.name,
        phase: "Running",
        count: metric.count,
        successful: metric.count,
        error: metric.error ?? 0,
        measurements: metric.measurements,
      })),
    },
  };
}

export function sampleRollout(options: {
  name: string;
  namespace?: string;
  image?: string;
  annotations?: Record<string, string>;
  env?: { name: string; value: string }[];
}): KubeObjectInput {
  const { name, namespace = "shop", image = "shop:1", annotations = {}, env = [] } = options;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name, namespace, annotations },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: "app", image, env }] } },
      strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { setWeight: 100 }] } },
    },
  };
}

/** Returns a status as the controller writes it. */
export function rolloutStatus(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    phase: "Progressing",
    message: "more replicas need to be updated",
    observedGeneration: "1",
    currentPodHash: "aaa",
    stableRS: "aaa",
    currentStepIndex: 0,
    replicas: 2,
    updatedReplicas: 2,
    readyReplicas: 2,
    availableReplicas: 2,
    ...fields,
  };
}
