import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import type { BlueGreenDetail, DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import { describeBlueGreen } from "./blue-green.ts";
import { describeFollows } from "./describe-rest.ts";
import { computeSteps, formatTime } from "./rollout-steps.ts";

export function describeDetail(rollout: RolloutObject): DeliveryDetail {
  const { spec, status } = rollout;
  return {
    steps: computeSteps(rollout),
    follows: describeFollows({ rollout }),
    pauseConditions: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({
      reason,
      startTime: formatTime(startTime),
    })),
    controllerPause: status.controllerPause,
    paused: spec.paused,
    aborted: status.abort,
    promoteFull: status.promoteFull,
    stableRevisionKey: status.stableRS === "" ? null : status.stableRS,
    replicas: {
      desired: spec.replicas ?? 1,
      current: status.replicas,
      updated: status.updatedReplicas,
      ready: status.readyReplicas,
      available: status.availableReplicas,
    },
    conditions: (status.conditions ?? []).map((condition) => ({
      type: condition.type,
      status: condition.status,
      reason: condition.reason,
      message: condition.message,
      at: formatTime(condition.lastTransitionTime ?? condition.lastUpdateTime),
    })),
    currentRuns: listCurrentRuns(rollout),
    currentExperiment: status.canary?.currentExperiment || null,
    blueGreen: describeBlueGreenDetail(rollout),
    workload: nameWorkload(rollout),
    notices: [],
    gates: null,
  };
}

/** Lists the analysis runs that the status names. */
export function listCurrentRuns({ status: { canary, blueGreen } }: RolloutObject): DeliveryDetail["currentRuns"] {
  const named = [
    { role: "step", run: canary?.currentStepAnalysisRunStatus },
    { role: "background", run: canary?.currentBackgroundAnalysisRunStatus },
    { role: "prePromotion", run: blueGreen?.prePromotionAnalysisRunStatus },
    { role: "postPromotion", run: blueGreen?.postPromotionAnalysisRunStatus },
  ] as const;
  return named.flatMap(({ role, run }) =>
    run === undefined ? [] : [{ role, name: run.name, phase: run.status ?? "", message: run.message ?? "" }],
  );
}

function describeBlueGreenDetail(rollout: RolloutObject): BlueGreenDetail | null {
  const facts = describeBlueGreen(rollout);
  if (facts === null) return null;
  const { promotesAtMs, ...rest } = facts;
  return { ...rest, promotesAt: promotesAtMs === null ? null : new Date(promotesAtMs).toISOString() };
}

function nameWorkload({ spec: { workloadRef } }: RolloutObject): DeliveryDetail["workload"] {
  const { name, kind = "Deployment" } = workloadRef ?? {};
  return name === undefined ? null : { kind, name };
}
