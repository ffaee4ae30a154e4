import { type CanaryStep, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { maxWeightOf } from "#lib/domain/argo/view/weights.ts";

/**
 * Returns the status that completes a step which ended Inconclusive. `controllerPause: false` by itself is upstream's
 * (cmd/promote). A controller that then meets an Inconclusive background run pauses for that before it pauses for the
 * step, and mistakes the pause step for resumed (rollout/pause.go CompletedCanaryPauseStep: controllerPause without
 * CanaryPauseStep). So if a pause comes next, its condition is written together with the index. The controller keeps
 * it, adds its own, and counts a timed pause from this start. The run of the passed step is removed in the same write,
 * since the controller touches no step run while a condition exists (rollout/analysis.go
 * reconcileStepBasedAnalysisRun). Seen on 1.10.2 and 1.9.3.
 */
export function passStepStatus({
  rollout,
  completed,
  now,
}: {
  rollout: RolloutObject;
  completed: number;
  now: Date;
}): Record<string, unknown> {
  if (!isPauseStep(stepsOf(rollout)[completed]))
    return { pauseConditions: null, controllerPause: false, currentStepIndex: completed };
  return {
    pauseConditions: [{ reason: "CanaryPauseStep", startTime: formatSecond(now) }],
    controllerPause: true,
    currentStepIndex: completed,
    canary: { currentStepAnalysisRunStatus: null },
  };
}

/** Returns whether that status removes the run of the passed step. */
export function clearsStepRun(status: Record<string, unknown>): boolean {
  return "canary" in status;
}

export function isPauseStep(step: CanaryStep | undefined): boolean {
  return step?.pause !== undefined;
}

/** Adjusts the command, which is run later than it is shown: the pause counts from then. */
export function withTimeOfShell(kubectl: string, now: Date): string {
  return kubectl.replace(`"startTime":"${formatSecond(now)}"`, `"startTime":"'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"`);
}

/** Formats a time like metav1.Time. */
function formatSecond(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

/**
 * Lists the pause steps, as indices, that the controller would pass by itself from the step `from` on. While the only
 * condition is that of an Inconclusive background run, it mistakes each pause for resumed. The condition stops scaling
 * and new analysis, so the first step that needs more pods, or an analysis, ends the list. If the status does not tell,
 * a step counts as completed: it is better to name a gate that holds than to pass one unnamed.
 */
export function listPassedPauses({
  rollout,
  from,
  startsFirst = false,
}: {
  rollout: RolloutObject;
  from: number;
  /** The controller meets the first of these steps before it pauses: an experiment there begins. */
  startsFirst?: boolean;
}): number[] {
  const steps = stepsOf(rollout);
  const passed: number[] = [];
  for (const [index, step] of steps.entries()) {
    if (index < from) continue;
    if (isPauseStep(step)) passed.push(index);
    else if (step.analysis !== undefined) break;
    else if (step.experiment !== undefined) {
      if (!startsFirst || index !== from) break;
    } else if (step.setWeight !== undefined && needsPods({ rollout, index })) break;
  }
  return passed;
}

/**
 * Returns whether the step needs more pods. Without a scale of its own the canary has as many pods as its weight
 * requires (utils/replicaset/canary.go).
 */
function needsPods({ rollout, index }: { rollout: RolloutObject; index: number }): boolean {
  const steps = stepsOf(rollout).slice(0, index + 1);
  const scale = steps.findLast(({ setCanaryScale }) => setCanaryScale !== undefined)?.setCanaryScale;
  const hasOwnScale = scale !== undefined && scale.matchTrafficWeight !== true;
  if (hasOwnScale && rollout.spec.strategy.canary?.trafficRouting !== undefined) return false;
  const weights = steps.flatMap(({ setWeight }) => (setWeight === undefined ? [] : [setWeight]));
  const podsAt = (weight: number | undefined) => ((rollout.spec.replicas ?? 1) * (weight ?? 0)) / maxWeightOf(rollout);
  const { trafficRouting, replicaProgressThreshold } = rollout.spec.strategy.canary ?? {};
  if (replicaProgressThreshold !== undefined) return false;
  const before = Math.ceil(podsAt(weights.at(-2)));
  // Without a router the counts approximate the weight: only a difference of a whole pod is certain.
  return (
    (trafficRouting === undefined ? Math.floor(podsAt(weights.at(-1))) : Math.ceil(podsAt(weights.at(-1)))) > before
  );
}
