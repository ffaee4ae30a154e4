import { parseTime } from "#sandbox/controllers/clock.ts";
import { findDeploymentCondition } from "#sandbox/controllers/deployment-types.ts";
import { analysisOf, type Canary, primaryNameOf, progressDeadlineSecondsOf, targetLabel } from "./canary-types.ts";
import type { FlaggerContext } from "./flagger-context.ts";
import { readPrimary, readTarget, type Workload } from "./target-workload.ts";

/** Why a workload is not ready; one that cannot be waited for ends the run. */
export type NotReady = { message: string; isRetriable: boolean };

export function findPrimaryProblem(context: FlaggerContext, canary: Canary): NotReady | undefined {
  const threshold = analysisOf(canary).primaryReadyThreshold ?? 100;
  const problem = findProblem(context, readPrimary(context, canary), { canary, threshold });
  const label = `${primaryNameOf(canary)}.${canary.metadata.namespace}`;
  return problem && { ...problem, message: `${label} not ready: ${problem.message}` };
}

export function findCanaryProblem(context: FlaggerContext, canary: Canary): NotReady | undefined {
  const threshold = analysisOf(canary).canaryReadyThreshold ?? 100;
  const problem = findProblem(context, readTarget(context, canary), { canary, threshold });
  return problem && { ...problem, message: `canary deployment ${targetLabel(canary)} not ready: ${problem.message}` };
}

/** Judges a Deployment (pkg/canary/deployment_ready.go isDeploymentReady of flagger 1.44.0). */
function findProblem(
  { clock, speed }: FlaggerContext,
  { metadata, spec, status }: Workload,
  { canary, threshold }: { canary: Canary; threshold: number },
): NotReady | undefined {
  const { replicas = 0, updatedReplicas = 0, availableReplicas = 0, observedGeneration = 0 } = status;
  const waiting = "waiting for rollout to finish:";
  if ((metadata.generation ?? 0) > observedGeneration) {
    const message = `${waiting} observed deployment generation less than desired generation`;
    return { message, isRetriable: true };
  }
  const progress = findDeploymentCondition(status, "Progressing");
  if (progress?.reason === "ProgressDeadlineExceeded") {
    const message = `deployment ${JSON.stringify(metadata.name)} exceeded its progress deadline`;
    return { message, isRetriable: false };
  }
  const available = findDeploymentCondition(status, "Available");
  const isUnavailable = available?.status === "False" && available.reason === "MinimumReplicasUnavailable";
  const sinceMs = progress !== undefined && isUnavailable ? parseTime(available.lastUpdateTime) : undefined;
  const deadlineMs = (progressDeadlineSecondsOf(canary) * 1000) / speed;
  const isRetriable = sinceMs === undefined || sinceMs + deadlineMs >= clock.now();
  const needed = Math.trunc(Math.fround(updatedReplicas * Math.fround(threshold / 100)));
  if (updatedReplicas < spec.replicas) {
    const message = `${waiting} ${updatedReplicas} out of ${spec.replicas} new replicas have been updated`;
    return { message, isRetriable };
  }
  if (replicas > updatedReplicas) {
    return { message: `${waiting} ${replicas - updatedReplicas} old replicas are pending termination`, isRetriable };
  }
  if (availableReplicas < needed) {
    const counted = `${availableReplicas} of ${needed} (readyThreshold ${threshold}%)`;
    return { message: `${waiting} ${counted} updated replicas are available`, isRetriable };
  }
  return undefined;
}
