import { shortenImage } from "#lib/client/describe-images.ts";
import type { RolloutDetail, RolloutStep } from "#lib/contract/rollout.ts";
import { explainAbort, readSentence, wordMessage } from "#lib/domain/controller-words.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";

const phaseSentences: Record<RolloutDetail["phase"], string> = {
  Healthy: "Healthy: the stable version serves all traffic.",
  Progressing: "A new version is rolling out.",
  Paused: "Paused.",
  Degraded: "Degraded.",
  Unknown: "Its state is unknown.",
};

/** Describes the phase, with the controller's own reason if it gives one. */
export function describePhase({ kind, phase, message, presence, promoteFull, pauseConditions }: RolloutDetail): string {
  if (presence === "deleted") return "The cluster has deleted this rollout. Its recorded history is kept here.";
  if (presence === "absent") return "The cluster no longer shows this rollout, and its deletion was not observed.";
  const own = readSentence(kind, message);
  if (own !== undefined) return own;
  // describePauses puts a bare pause reason into words, with the other pauses.
  const isPauseReason = pauseConditions.some(({ reason }) => reason === message);
  const abort = explainAbort(message);
  const sentence =
    isPauseReason || message === "" || message === phase
      ? phaseSentences[phase]
      : endSentence(abort ?? `${phase}: ${message}`);
  return promoteFull ? `${sentence} Full promotion requested.` : sentence;
}

function endSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/**
 * Describes where the pod template is, and how many pods that object runs itself: with a rollout, it should run none.
 */
export function describeWorkload({ kind, name, recorded }: NonNullable<RolloutDetail["workload"]>): string {
  if (recorded === null) return `${kind} ${name}, not recorded`;
  if (recorded.presence === "deleted") return `${kind} ${name}, deleted from the cluster`;
  const { images, desired, replicas, ready } = recorded;
  const versions = images.length === 0 ? "" : ` (${images.map(shortenImage).join(", ")})`;
  if (desired === 0 && replicas === 0) return `${kind} ${name}${versions}: no pods running`;
  return `${kind} ${name}${versions}: ${ready} of ${desired} pods running`;
}

export type PauseLine = { words: string; reason: string; since: string | null };

/** Describes everything that holds the rollout, one by one: clearing one does not clear the others. */
export function describePauses({
  pauseConditions,
  paused,
}: Pick<RolloutDetail, "pauseConditions" | "paused">): PauseLine[] {
  const lines: PauseLine[] = pauseConditions.map(({ reason, startTime }) => ({
    words: wordMessage(reason),
    reason,
    since: startTime,
  }));
  if (paused) lines.push({ words: "Paused manually (spec.paused)", reason: "spec.paused", since: null });
  return lines;
}

const saidPauses: Partial<Record<NonNullable<RolloutDetail["attention"]>["reason"], RegExp>> = {
  inconclusive: /^Inconclusive/,
  pause: /^CanaryPauseStep$/,
  blueGreenPromotion: /^BlueGreenPause$/,
};

/** Lists the pauses that hold the rollout besides the one that its sentence is about. */
export function listOtherPauses(
  rollout: Pick<RolloutDetail, "pauseConditions" | "paused" | "attention" | "steps">,
): PauseLine[] {
  const current = rollout.steps.find(({ state }) => state === "current");
  const known = describePauses(rollout).map((line) =>
    line.reason === "CanaryPauseStep" && current?.kind === "pause"
      ? { ...line, words: `At a ${current.endsAt === null ? "manual" : "timed"} pause (step ${current.index + 1})` }
      : line,
  );
  const said = rollout.attention === null ? undefined : saidPauses[rollout.attention.reason];
  // The sentence says what a single pause waits for.
  return known.length === 1 ? [] : known.filter(({ reason }) => said?.test(reason) !== true);
}

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

type AbortPlace = Pick<Steps, "steps" | "abortPoint"> & Pick<RolloutDetail, "weight"> & { stable?: string | undefined };

/**
 * Returns "Aborted at step 3 of 6 (analysis), with traffic set to 25 %. v5.2.3 serves all traffic."; undefined if not
 * aborted, or step and weight unknown. `stable` is the name of the stable version, if known.
 */
export function describeAbortPoint({ steps, abortPoint, weight: now, stable }: AbortPlace): string | undefined {
  const step = steps[abortPoint?.step ?? -1];
  if (abortPoint === null) return undefined;
  const { weight } = abortPoint;
  const before = weight === null ? "" : `with traffic set to ${weight} %`;
  const share = weight === null ? null : (now?.actual ?? null);
  const onStable = share === 0 && stable !== undefined ? ` ${stable} serves all traffic.` : undefined;
  const since = share === null ? "" : (onStable ?? ` The new version now gets ${share} %.`);
  if (step === undefined) return before === "" ? undefined : `Aborted ${before}.${since}`;
  return `Aborted at step ${step.index + 1} of ${steps.length} (${wordStep(step.text)})${before === "" ? "" : `, ${before}`}.${since}`;
}
