import type { RolloutDetail, RolloutStep } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";

export type PlacedStep = Omit<RolloutStep, "state"> & { state: RolloutStep["state"] | "aborted" };

type Steps = Pick<RolloutDetail, "steps" | "step" | "stepCount" | "aborted" | "abortPoint">;

/**
 * Marks the completed steps. After an abort, the controller reports the first step, so the current step is the one at
 * which it was aborted, or none if that step is unknown.
 */
export function placeSteps({ steps, aborted, abortPoint }: Steps): PlacedStep[] {
  if (!aborted) return steps;
  const at = abortPoint?.step ?? null;
  return steps.map((step) => ({
    ...step,
    endsAt: null,
    state: at === null || step.index > at ? "pending" : step.index < at ? "done" : "aborted",
  }));
}

/** Describes the bar in words. */
export function describeSteps(rollout: Steps): string {
  const { steps, aborted } = rollout;
  if (!aborted) return `Steps: ${steps.filter(({ state }) => state === "done").length} of ${steps.length} done`;
  const number = currentStepNumber(rollout);
  return number === null ? "Steps: aborted at an unknown step" : `Steps: aborted at step ${number} of ${steps.length}`;
}

/**
 * Returns "Aborted at step 3 of 6 (analysis), with traffic set to 25 %. The new version now gets 0 %."; undefined if not
 * aborted, or step and weight unknown.
 */
export function describeAbortPoint({
  steps,
  abortPoint,
  weight: now,
}: Pick<Steps, "steps" | "abortPoint"> & Pick<RolloutDetail, "weight">): string | undefined {
  const step = steps[abortPoint?.step ?? -1];
  if (abortPoint === null) return undefined;
  const { weight } = abortPoint;
  const before = weight === null ? "" : `with traffic set to ${weight} %`;
  const since = weight === null || typeof now?.actual !== "number" ? "" : ` The new version now gets ${now.actual} %.`;
  if (step === undefined) return before === "" ? undefined : `Aborted ${before}.${since}`;
  return `Aborted at step ${step.index + 1} of ${steps.length} (${wordStep(step.text)})${before === "" ? "" : `, ${before}`}.${since}`;
}
