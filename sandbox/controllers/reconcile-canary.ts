import { reconcilePauseStep } from "./canary-pause.ts";
import { isFullyPromoted } from "./canary-steps.ts";
import { earliest } from "./clock.ts";
import { newPauseDecision } from "./pause-state.ts";
import { planScaling } from "./plan-scaling.ts";
import { restartPods } from "./reconcile-blue-green.ts";
import type { ReconcileContext } from "./reconcile-context.ts";
import { reconcileRolloutAnalysis } from "./reconcile-rollout-analysis.ts";
import { deleteOldReplicaSets, loadParts, scaleReplicaSet, syncRevision } from "./replica-sets.ts";
import { reconcileRolloutExperiments } from "./rollout-experiments.ts";
import { reconcileCanaryServices } from "./rollout-services.ts";
import { computeStatus } from "./rollout-status.ts";
import type { Rollout } from "./rollout-types.ts";
import { computePodTemplateHash, computeStepHash } from "./template-hash.ts";
import { writeStatus } from "./write-rollout-status.ts";

/**
 * Does one pass over a canary Rollout: revision, Services, experiments, analysis, scaling, pause and status, in the
 * order of rollout/canary.go rolloutCanary (argo-rollouts at 9f8d111). Returns when to look again, in ms.
 */
export function reconcileCanary(context: ReconcileContext, rollout: Rollout): number | undefined {
  const { store, nowMs, speed } = context;
  const isReset = isTemplateOrStepsChanged(rollout);
  const synced = syncRevision(context, loadParts(store, rollout));
  if (isReset) {
    const decision = newPauseDecision();
    writeStatus(context, synced.rollout, computeStatus(context, { parts: synced, decision, isReset }));
    return 0;
  }
  const { parts, restarted, wakeMs: restartWakeMs } = restartPods(context, synced);
  if (restarted > 0) {
    return restartWakeMs;
  }
  // An abort after the promotion has nothing left to abort, and is dropped silently.
  const decision = { ...newPauseDecision(), removeAbort: isFullyPromoted(parts.rollout) };
  deleteOldReplicaSets(context, parts);
  reconcileCanaryServices(context, parts, decision);
  const experiment = reconcileRolloutExperiments(context, parts, decision);
  const analysis = reconcileRolloutAnalysis(context, parts, decision);
  let wakeMs: number | undefined;
  if (decision.add.length === 0) {
    const plan = planScaling(parts, { nowMs, speed });
    const hasScaled = plan.orders.some((order) => scaleReplicaSet(context, parts.rollout, order));
    wakeMs = plan.wakeAtMs === undefined ? undefined : plan.wakeAtMs - nowMs;
    if (!hasScaled) {
      wakeMs = earliest(wakeMs, reconcilePauseStep(parts.rollout, decision, { nowMs, speed }));
    }
  }
  writeStatus(context, parts.rollout, computeStatus(context, { parts, decision, analysis, experiment, isReset }));
  return earliest(wakeMs, restartWakeMs);
}

function isTemplateOrStepsChanged({ status, spec }: Rollout): boolean {
  const steps = spec.strategy.canary?.steps ?? [];
  return (
    status.currentStepHash !== computeStepHash(steps) ||
    (status.currentPodHash !== undefined && status.currentPodHash !== computePodTemplateHash(spec.template))
  );
}
