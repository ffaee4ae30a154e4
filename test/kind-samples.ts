import type { KubeObjectInput } from "#sandbox/apiserver/store-types.ts";

type Owner = { kind: string; name: string; uid: string };

const groups: Record<string, string> = {
  Rollout: "argoproj.io/v1alpha1",
  Experiment: "argoproj.io/v1alpha1",
  ReplicaSet: "apps/v1",
};

function ownedBy(owner: Owner | undefined): { ownerReferences?: unknown[] } {
  if (owner === undefined) return {};
  return { ownerReferences: [{ apiVersion: groups[owner.kind] ?? "v1", controller: true, ...owner }] };
}

const namespace = "shop";

export function sampleReplicaSet(options: { name: string; hash: string; owner: Owner }): KubeObjectInput {
  const { name, hash, owner } = options;
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name, namespace, labels: { "rollouts-pod-template-hash": hash }, ...ownedBy(owner) },
    spec: { replicas: 2, template: { spec: { containers: [{ name: "app", image: "shop:1" }] } } },
  } as KubeObjectInput;
}

export function samplePod(options: { name: string; hash?: string; owner?: Owner }): KubeObjectInput {
  const { name, hash = "aaa", owner } = options;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, labels: { "rollouts-pod-template-hash": hash }, ...ownedBy(owner) },
    spec: {
      nodeName: "node-1",
      containers: [{ name: "app", image: "shop:1", env: [{ name: "X", value: "planted-env" }] }],
    },
  } as KubeObjectInput;
}

/** Returns the status of a pod with one container, as the kubelet writes it. */
export function podStatus(state: { ready: boolean; restarts?: number; waiting?: { reason: string; message: string } }) {
  const { ready, restarts = 0, waiting } = state;
  return {
    phase: "Running",
    startTime: "2026-11-20T10:00:00Z",
    conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    containerStatuses: [
      {
        name: "app",
        ready,
        restartCount: restarts,
        state: waiting === undefined ? { running: {} } : { waiting },
      },
    ],
  };
}

export function sampleExperiment(options: { name: string; owner?: Owner; template?: string }): KubeObjectInput {
  const { name, owner, template = "success-rate" } = options;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    metadata: { name, namespace, annotations: { "rollout.argoproj.io/revision": "2" }, ...ownedBy(owner) },
    spec: {
      duration: "5m",
      templates: [
        { name: "baseline", replicas: 1, template: {} },
        { name: "canary", template: {} },
      ],
      analyses: [{ name: "compare", templateName: template, requiredForCompletion: true }],
    },
  } as KubeObjectInput;
}

export function sampleTemplate(options: {
  name: string;
  kind?: "AnalysisTemplate" | "ClusterAnalysisTemplate";
  condition?: string;
  templates?: { templateName: string; clusterScope?: boolean }[];
}): KubeObjectInput {
  const { name, kind = "AnalysisTemplate", condition = "result >= 0.95", templates } = options;
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind,
    metadata: { name, ...(kind === "AnalysisTemplate" ? { namespace } : {}) },
    spec: {
      args: [{ name: "service" }, { name: "key", valueFrom: { secretKeyRef: { name: "s", key: "k" } } }],
      metrics: [
        {
          name: "success-rate",
          interval: "30s",
          successCondition: condition,
          provider: { prometheus: { address: "http://prometheus?token=planted-token", query: "up" } },
        },
      ],
      ...(templates === undefined ? {} : { templates }),
    },
  } as KubeObjectInput;
}

export function sampleEvent(options: {
  name: string;
  involved: { apiVersion: string; kind: string; name: string; uid: string };
  reason?: string;
  message?: string;
  at?: Date;
}): KubeObjectInput {
  const { name, involved, reason = "Killing", message = "", at = new Date() } = options;
  const time = at.toISOString().replace(/\.\d+Z$/, "Z");
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name, namespace },
    involvedObject: { namespace, ...involved },
    type: "Warning",
    reason,
    message,
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: "kubelet" },
  } as KubeObjectInput;
}
