import type { WorkloadState } from "#lib/domain/kube/workload-object.ts";

/** Makes a Deployment with two pods that are ready. */
export function workloadOf(changes: Partial<WorkloadState> = {}): WorkloadState {
  return {
    kind: "Deployment",
    desired: 2,
    replicas: 2,
    updated: 2,
    ready: 2,
    available: 2,
    generation: 2,
    observedGeneration: 2,
    strategy: "RollingUpdate",
    progressDeadlineSeconds: 600,
    conditions: [
      conditionOf("Available", "True", "MinimumReplicasAvailable"),
      conditionOf("Progressing", "True", "NewReplicaSetAvailable"),
    ],
    images: [],
    ...changes,
  };
}

/** Makes a condition of a workload; `time` is both of its times. */
export function conditionOf(
  type: string,
  status: string,
  reason: string,
  time = "2026-08-01T10:00:00Z",
): WorkloadState["conditions"][number] {
  return { type, status, reason, lastUpdateTime: time, lastTransitionTime: time };
}

/** Makes a Deployment without pods that serve, as while Recreate replaces them. */
export function emptyWorkload(changes: Partial<WorkloadState> = {}): WorkloadState {
  return workloadOf({
    ready: 0,
    available: 0,
    strategy: "Recreate",
    conditions: [
      conditionOf("Available", "False", "MinimumReplicasUnavailable", "2026-08-01T10:00:10Z"),
      conditionOf("Progressing", "True", "NewReplicaSetAvailable"),
    ],
    ...changes,
  });
}

/** Makes a Deployment whose rolling update hangs while an old pod serves. */
export function failedWorkload(changes: Partial<WorkloadState> = {}): WorkloadState {
  return workloadOf({
    updated: 1,
    available: 1,
    conditions: [
      conditionOf("Available", "True", "MinimumReplicasAvailable"),
      conditionOf("Progressing", "False", "ProgressDeadlineExceeded"),
    ],
    ...changes,
  });
}
