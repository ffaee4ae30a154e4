type Place = {
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** Where it stood when it was aborted: the controller goes back to the first step then. */
  abortPoint?: { step: number | null } | null;
};

/**
 * The step that a rollout stands at, counted from 1; after an abort the one that it was aborted at. Past the last one
 * it
 * is the last one. Null where there are no steps, or where it is not known.
 */
export function currentStepNumber({ step, stepCount, abortPoint }: Place): number | null {
  const completed = abortPoint === undefined || abortPoint === null ? step : abortPoint.step;
  return completed === null || stepCount === 0 ? null : Math.min(completed + 1, stepCount);
}
