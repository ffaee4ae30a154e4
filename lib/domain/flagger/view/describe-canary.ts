import type { DeliveryDetail } from "#lib/domain/delivery/detail.ts";
import type { CanaryObject } from "#lib/domain/flagger/objects/canary-object.ts";
import { skipsAnalysis } from "#lib/domain/flagger/objects/canary-spec.ts";
import { stableKeyOf } from "#lib/domain/flagger/objects/run-key.ts";
import type { WorkloadState } from "#lib/domain/kube/workload-state.ts";
import type { CanaryAssessment } from "./canary-state.ts";
import { describeCanaryFollows, listConditions, listSteps } from "./canary-steps.ts";
import { computeStepPlan } from "./step-plan.ts";

/**
 * Describes what a Canary's own page shows in addition to its summary. Replica counts are those of both workloads, as far
 * as they are known; `updated` counts the target's.
 */
export function describeCanary({
  canary,
  assessment,
  primary,
  target,
  meshProvider,
}: {
  canary: CanaryObject;
  assessment: Pick<CanaryAssessment, "state">;
  primary: WorkloadState | undefined;
  target: WorkloadState | undefined;
  /** The controller's default router. */
  meshProvider?: string | undefined;
}): DeliveryDetail {
  const plan = computeStepPlan(canary, meshProvider);
  const { kind, name } = canary.spec.targetRef;
  const isAnalysed = canary.status.phase === "Progressing" || canary.status.phase === "WaitingPromotion";
  return {
    steps: listSteps(canary, plan),
    follows: skipsAnalysis(canary) ? null : describeCanaryFollows({ canary, plan, state: assessment.state }),
    pauseConditions: [],
    controllerPause: false,
    paused: canary.spec.suspend,
    aborted: false,
    promoteFull: skipsAnalysis(canary) && isAnalysed,
    stableRevisionKey: stableKeyOf(canary),
    replicas: addReplicas(primary, target),
    conditions: listConditions(canary, target === undefined ? null : target.desired === 0),
    currentRuns: [],
    currentExperiment: null,
    blueGreen: null,
    workload: name === "" ? null : { kind, name },
  };
}

function addReplicas(
  primary: WorkloadState | undefined,
  target: WorkloadState | undefined,
): DeliveryDetail["replicas"] {
  const add = (count: "desired" | "replicas" | "ready" | "available"): number =>
    (primary?.[count] ?? 0) + (target?.[count] ?? 0);
  return {
    desired: add("desired"),
    current: add("replicas"),
    updated: target?.updated ?? 0,
    ready: add("ready"),
    available: add("available"),
  };
}
