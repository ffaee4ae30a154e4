import type { CanaryStep, Rollout } from "./rollout-types.ts";

export function stepsOf(rollout: Rollout): CanaryStep[] {
  return rollout.spec.strategy.canary?.steps ?? [];
}

/** Returns the current step and its index: the count of completed steps. No index if the strategy has no steps. */
export function currentStep(rollout: Rollout): { step?: CanaryStep; index?: number } {
  const steps = stepsOf(rollout);
  if (steps.length === 0) {
    return {};
  }
  const index = rollout.status.currentStepIndex ?? 0;
  return index >= steps.length ? { index } : { step: steps[index], index };
}

export function maxTrafficWeight(rollout: Rollout): number {
  return rollout.spec.strategy.canary?.trafficRouting?.maxTrafficWeight ?? 100;
}

/** Returns the weight that the steps up to and including `index` have set. */
export function weightSetAt(steps: CanaryStep[], index: number): number {
  for (let at = Math.min(index, steps.length - 1); at >= 0; at--) {
    const weight = steps[at]?.setWeight;
    if (weight !== undefined) {
      return weight;
    }
  }
  return 0;
}

/** Returns the traffic share that the new version should have now: 0 while aborted, the maximum past the last step. */
export function currentSetWeight(rollout: Rollout): number {
  if (rollout.status.abort === true) {
    return 0;
  }
  const { step, index } = currentStep(rollout);
  return step === undefined || index === undefined ? maxTrafficWeight(rollout) : weightSetAt(stepsOf(rollout), index);
}

/**
 * Returns the setCanaryScale step in force, unless a later matchTrafficWeight has cancelled it. It counts only with a
 * traffic router, and after an abort only if the canary must stay (utils/replicaset/canary.go UseSetCanaryScale).
 */
export function currentCanaryScale(rollout: Rollout): CanaryStep["setCanaryScale"] {
  const { step, index } = currentStep(rollout);
  const canary = rollout.spec.strategy.canary;
  const isDropped = rollout.status.abort === true && canary?.abortScaleDownDelaySeconds !== 0;
  if (canary?.trafficRouting === undefined || isDropped || step === undefined || index === undefined) {
    return undefined;
  }
  const scale = stepsOf(rollout)
    .slice(0, index + 1)
    .findLast((candidate) => candidate.setCanaryScale !== undefined)?.setCanaryScale;
  return scale?.matchTrafficWeight === true ? undefined : scale;
}

/** Describes a step in the words of the controller's events (utils/rollout/rolloututil.go CanaryStepString). */
export function describeStep(step: CanaryStep): string {
  const { setWeight, pause, setCanaryScale: scale } = step;
  if (setWeight !== undefined) {
    return `setWeight: ${setWeight}`;
  }
  if (pause !== undefined) {
    return pause.duration === undefined ? "pause" : `pause: ${pause.duration}`;
  }
  if (scale !== undefined) {
    const [name = "", value] = Object.entries(scale)[0] ?? [];
    return `setCanaryScale{${name}: ${value}}`;
  }
  for (const kind of ["experiment", "analysis"]) {
    if (step[kind] !== undefined) {
      return kind;
    }
  }
  const [kind = "invalid", value] = Object.entries(step)[0] ?? [];
  return `${kind}: ${(value as { name?: string } | undefined)?.name ?? ""}`;
}

export function isFullyPromoted(rollout: Rollout): boolean {
  return rollout.status.stableRS !== undefined && rollout.status.stableRS === rollout.status.currentPodHash;
}
