import type { MetricSpec } from "./types.ts";

/**
 * Explains when measuring begins, if that is not at once; undefined if it is. `startingStep` counts steps from 0 and
 * applies to background analysis: the controller creates the run once the rollout has reached that step.
 */
export function explainStart(input: {
  readonly startingStep?: number;
  readonly metrics: readonly Pick<MetricSpec, "name" | "initialDelay">[];
}): string | undefined {
  const { startingStep = 0, metrics } = input;
  const step =
    startingStep > 0 ? [`It starts at step ${startingStep + 1} of the rollout (startingStep ${startingStep}).`] : [];
  const delays = metrics.flatMap(({ name, initialDelay = "" }) =>
    initialDelay === "" ? [] : [`${name} is first measured ${initialDelay} after the run starts (initialDelay).`],
  );
  const texts = [...step, ...delays];
  return texts.length === 0 ? undefined : texts.join(" ");
}
