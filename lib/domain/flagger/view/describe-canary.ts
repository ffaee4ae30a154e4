import type { DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { skipsAnalysis } from "#lib/domain/flagger/objects/canary-spec.ts";
import { stableKeyOf } from "#lib/domain/flagger/objects/run-key.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-state.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import { describeCanaryFollows, listConditions, listSteps } from "./canary-steps.ts";
import { computeStepPlan } from "./step-plan.ts";

/** Describes what a Canary's own page shows in addition to its summary. Replica counts are the target's. */
export function describeCanary({
  canary,
  assessment,
  target,
  meshProvider,
}: {
  canary: CanaryObject;
  assessment: Pick<CanaryAssessment, "state" | "traffic">;
  target: WorkloadState | undefined;
  /** The controller's default router. */
  meshProvider?: string | undefined;
}): DeliveryDetail {
  const plan = computeStepPlan(canary, meshProvider);
  const { state, traffic } = assessment;
  const { kind, name } = canary.spec.targetRef;
  return {
    steps: listSteps(canary, plan),
    follows: skipsAnalysis(canary) ? null : describeCanaryFollows({ canary, plan, traffic, state }),
    pauseConditions: [],
    controllerPause: false,
    paused: canary.spec.suspend,
    aborted: false,
    promoteFull: skipsAnalysis(canary),
    stableRevisionKey: stableKeyOf(canary),
    replicas: {
      desired: target?.desired ?? 0,
      current: target?.replicas ?? 0,
      updated: target?.updated ?? 0,
      ready: target?.ready ?? 0,
      available: target?.available ?? 0,
    },
    conditions: listConditions(canary, target === undefined ? null : target.replicas === 0),
    currentRuns: [],
    currentExperiment: null,
    blueGreen: null,
    workload: name === "" ? null : { kind, name },
  };
}
