const totalWeight = 100;

export type StepAnalysis = {
  stepWeight?: number | undefined;
  stepWeights?: readonly number[] | undefined;
  maxWeight?: number | undefined;
};

/**
 * Computes the percent after the next step of a weight canary; undefined if the promotion is next. Mirrors
 * `nextStepWeight` and `maxWeight` of pkg/controller/scheduler.go, Flagger 1.44.0.
 */
export function computeNextWeight({
  weight,
  analysis,
}: {
  weight: number;
  analysis: StepAnalysis;
}): number | undefined {
  const { stepWeight = 0, stepWeights = [], maxWeight = 0 } = analysis;
  if (weight >= computeMaxWeight({ stepWeights, maxWeight })) return undefined;
  if (stepWeight > 0 || stepWeights.length === 0) return Math.min(totalWeight, weight + stepWeight);
  const next = weight === 0 ? stepWeights[0] : stepWeights[findStep(stepWeights, weight) + 1];
  // From a weight that is not in the list, the controller goes to the end at once.
  return Math.min(totalWeight, next ?? totalWeight);
}

function computeMaxWeight({ stepWeights, maxWeight }: { stepWeights: readonly number[]; maxWeight: number }): number {
  const last = stepWeights.at(-1);
  if (last !== undefined) return Math.min(totalWeight, last);
  return maxWeight > 0 ? maxWeight : totalWeight;
}

/** Returns the place of the weight in the list; the end of the list if it is not there. */
function findStep(stepWeights: readonly number[], weight: number): number {
  const at = stepWeights.indexOf(weight);
  return at === -1 ? stepWeights.length : at;
}
