type Place = {
  /** Completed steps. */
  step: number | null;
  stepCount: number;
  /** Its step when it was aborted: the controller then returns to the first step. */
  abortPoint?: { step: number | null } | null;
};

/**
 * Returns the current step of a rollout, counted from 1; after an abort the step at which it was aborted. Past the last
 * one it is the last one. Null if there are no steps, or if it is unknown.
 */
export function currentStepNumber({ step, stepCount, abortPoint }: Place): number | null {
  const completed = abortPoint === undefined || abortPoint === null ? step : abortPoint.step;
  return completed === null || stepCount === 0 ? null : Math.min(completed + 1, stepCount);
}
