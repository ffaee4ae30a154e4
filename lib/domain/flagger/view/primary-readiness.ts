import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { analysisOf, progressDeadlineOf } from "#lib/domain/flagger/objects/canary-spec.ts";
import type { WorkloadCondition, WorkloadState } from "#lib/domain/kube/workload-object.ts";

/**
 * `updating`: not ready, but users have the pods that they need; only Kubernetes' own deadline can end it. `at-risk`:
 * not ready, and Flagger's own clock runs. `failed`: Flagger no longer waits for it. `unchecked`: Flagger does not
 * check targets of this kind. `unknown`: nothing is recorded.
 */
export type ReadinessKind = "ready" | "updating" | "at-risk" | "failed" | "unchecked" | "unknown";

export type Readiness = {
  kind: ReadinessKind;
  /** When Flagger stops waiting, in ISO 8601; null if nothing ends the wait or if the time is not known. */
  deadline: string | null;
  /** Pods that serve users; null if unknown. */
  available: number | null;
  desired: number | null;
  /** The reason, as the end of a sentence such as `1 of 2 pods are updated`; empty if ready. */
  why: string;
};

/** Kubernetes sets it if a manifest does not. */
const defaultDeploymentDeadlineSeconds = 600;

/**
 * Judges as Flagger does whether a workload is ready (isDeploymentReady in pkg/canary/deployment_ready.go and
 * isDaemonSetReady in daemonset_ready.go of fluxcd/flagger 1.44.0). Flagger acts at its first check after the deadline.
 */
export function assessReadiness({
  canary,
  workload,
  role,
  now,
}: {
  canary: Pick<CanaryObject, "spec" | "status">;
  /** Undefined if the workload is not recorded. */
  workload: WorkloadState | undefined;
  role: "primary" | "target";
  /** ISO 8601; without it a deadline counts as not reached. */
  now?: string | undefined;
}): Readiness {
  const { kind } = canary.spec.targetRef;
  if (kind !== "Deployment" && kind !== "DaemonSet")
    return describeAbsent(kind === "Service" ? "unchecked" : "unknown");
  if (workload === undefined) return describeAbsent("unknown");
  const analysis = analysisOf(canary);
  const percent = (role === "primary" ? analysis?.primaryReadyThreshold : analysis?.canaryReadyThreshold) ?? 100;
  const found =
    workload.kind === "DaemonSet"
      ? readDaemonSet(canary, workload, percent)
      : readDeployment(canary, workload, percent);
  // A missing time compares as false.
  const isOver = found.kind === "at-risk" && Date.parse(found.deadline ?? "") < Date.parse(now ?? "");
  const { available, desired } = workload;
  return { ...found, kind: isOver ? "failed" : found.kind, available, desired };
}

/** Returns whether nothing speaks against sending users to the workload. */
export function isUsable({ kind }: Pick<Readiness, "kind">): boolean {
  return kind === "ready" || kind === "unchecked";
}

/** Returns whether it is known that Flagger does not find the workload ready. */
export function isNotReady({ kind }: Pick<Readiness, "kind">): boolean {
  return kind === "updating" || kind === "at-risk" || kind === "failed";
}

/** Formats when Flagger stops waiting, such as `after 10:01:10 UTC`, for a sentence. */
export function nameDeadline({ kind, deadline }: Pick<Readiness, "kind" | "deadline">): string {
  if (kind === "failed") return "at its next check";
  return deadline === null ? "at its deadline" : `after ${deadline.slice(11, 19)} UTC`;
}

type Found = Pick<Readiness, "kind" | "deadline" | "why">;

const ready: Found = { kind: "ready", deadline: null, why: "" };

function describeAbsent(kind: "unchecked" | "unknown"): Readiness {
  return {
    kind,
    deadline: null,
    available: null,
    desired: null,
    why: kind === "unknown" ? "its state is not known" : "",
  };
}

function readDeployment(canary: Pick<CanaryObject, "spec">, workload: WorkloadState, percent: number): Found {
  if (!isObserved(workload)) return { kind: "updating", deadline: null, why: "the update has not begun" };
  const progress = findCondition(workload, "Progressing");
  if (progress?.reason === "ProgressDeadlineExceeded")
    return {
      kind: "failed",
      deadline: addSeconds(progress.lastUpdateTime ?? progress.lastTransitionTime, 0),
      why: `the update exceeded its progress deadline, with ${countAvailable(workload)}`,
    };
  const why = findMissingInDeployment(workload, percent);
  if (why === undefined) return ready;
  const kubernetesDeadline = readDeploymentDeadline(workload, progress);
  const available = findCondition(workload, "Available");
  // Flagger's clock runs only beside a Progressing condition.
  const isUnavailable =
    progress !== undefined && available?.status === "False" && available.reason === "MinimumReplicasUnavailable";
  if (!isUnavailable) return { kind: "updating", deadline: kubernetesDeadline, why };
  const deadline = addSeconds(available.lastUpdateTime, progressDeadlineOf(canary));
  return { kind: "at-risk", deadline: earlierOf(deadline, kubernetesDeadline), why };
}

/** Returns when the Deployment's own controller gives up; null after it completed, or if it is not known. */
function readDeploymentDeadline(workload: WorkloadState, progress: WorkloadCondition | undefined): string | null {
  if (progress === undefined || progress.reason === "NewReplicaSetAvailable") return null;
  return addSeconds(progress.lastUpdateTime, workload.progressDeadlineSeconds ?? defaultDeploymentDeadlineSeconds);
}

function findMissingInDeployment(workload: WorkloadState, percent: number): string | undefined {
  const { desired, replicas, updated, available } = workload;
  if (updated < desired) return `${updated} of ${desired} pods are updated, with ${countAvailable(workload)}`;
  if (replicas > updated)
    return `${replicas - updated} old ${replicas - updated === 1 ? "pod is" : "pods are"} still there, with ${countAvailable(workload)}`;
  const wanted = takePercent(updated, percent);
  return available < wanted ? `${available} of ${wanted} pods are available` : undefined;
}

function readDaemonSet(canary: Pick<CanaryObject, "spec" | "status">, workload: WorkloadState, percent: number): Found {
  if (!isObserved(workload)) return { kind: "updating", deadline: null, why: "the update has not begun" };
  const { desired, updated, available } = workload;
  const wanted = takePercent(desired, percent);
  if (updated >= desired && available >= wanted) return ready;
  const why =
    updated < desired
      ? `${updated} of ${desired} pods are updated, with ${countAvailable(workload)}`
      : `${available} of ${wanted} pods are available`;
  return { kind: "at-risk", deadline: addSeconds(canary.status.lastTransitionTime, progressDeadlineOf(canary)), why };
}

/** Flagger compares with 0 if nothing was observed. A record without a generation counts as observed. */
function isObserved({ generation, observedGeneration }: WorkloadState): boolean {
  return generation === undefined || generation <= (observedGeneration ?? 0);
}

function findCondition({ conditions }: WorkloadState, type: string): WorkloadCondition | undefined {
  return conditions.find((condition) => condition.type === type);
}

function countAvailable({ available }: WorkloadState): string {
  return `${available} ${available === 1 ? "pod" : "pods"} available`;
}

function addSeconds(time: string | undefined, seconds: number): string | null {
  const start = Date.parse(time ?? "");
  const end = new Date(start + seconds * 1000);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Computes in 32-bit floats, as Flagger does. */
function takePercent(count: number, percent: number): number {
  return Math.trunc(Math.fround(count * Math.fround(percent / 100)));
}

function earlierOf(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
