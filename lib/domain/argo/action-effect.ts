import { z } from "zod";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/rollout-object.ts";

/**
 * How to see in the Rollout, later, that an action took effect: stored with the action. `kind` says what must have
 * happened; the rest is how things stood when the action was planned.
 */
export const ExpectedEffect = z.object({
  kind: z.enum([
    "resumed",
    "step-passed",
    "steps-skipped",
    "measured-again",
    "promoted",
    "paused",
    "unpaused",
    "restarted",
    "aborted",
    "retried",
  ]),
  uid: z.string(),
  podHash: z.string(),
  step: z.number(),
  pauses: z.array(z.object({ reason: z.string(), startTime: z.string().optional() })),
  abortedAt: z.string().optional(),
  /** Names of the runs that were Inconclusive: new ones replace them. */
  runs: z.array(z.string()).default([]),
  experiment: z.string().optional(),
  restartAt: z.string().optional(),
});
export type ExpectedEffect = z.infer<typeof ExpectedEffect>;

export type EffectAssessment =
  | { state: "pending" }
  | { state: "effective"; message: string }
  | { state: "not-effective"; message: string };

export function planEffect({
  rollout,
  kind,
  runs = [],
  restartAt,
}: {
  rollout: RolloutObject;
  kind: ExpectedEffect["kind"];
  runs?: string[];
  restartAt?: string;
}): ExpectedEffect {
  const { metadata, status } = rollout;
  return {
    kind,
    uid: metadata.uid,
    podHash: status.currentPodHash,
    step: currentStepOf(rollout),
    pauses: (status.pauseConditions ?? []).map(({ reason, startTime }) => ({ reason, startTime })),
    abortedAt: status.abortedAt,
    runs,
    experiment: status.canary?.currentExperiment || undefined,
    restartAt,
  };
}

/** How long the effect may take. A full promotion waits for the new version's pods; the others only for the controller. */
export function effectDeadlineSeconds(kind: ExpectedEffect["kind"]): number {
  return kind === "promoted" || kind === "steps-skipped" ? 600 : 30;
}

/** Judges from the Rollout as it is now whether the controller has taken the action up, or never will. */
export function assessEffect({
  expected,
  rollout,
}: {
  expected: ExpectedEffect;
  rollout: RolloutObject;
}): EffectAssessment {
  const { metadata, status } = rollout;
  if (metadata.uid !== expected.uid)
    return { state: "not-effective", message: "The rollout was deleted and created again before it took effect." };
  if (status.currentPodHash !== expected.podHash)
    return {
      state: "not-effective",
      message: `A new revision (${status.currentPodHash}) replaced ${expected.podHash} before it took effect.`,
    };
  const promoted = status.stableRS !== "" && status.stableRS === status.currentPodHash;
  if (expected.kind === "aborted") return assessAbort({ expected, rollout, promoted });
  if (expected.kind === "retried") return assessRetry({ expected, rollout });
  if (expected.kind === "promoted") return assessPromotion({ rollout, promoted });
  if (expected.kind === "paused" || expected.kind === "unpaused" || expected.kind === "restarted")
    return assessSpecChange({ expected, rollout });
  if (status.abort) return { state: "not-effective", message: "The rollout was aborted before it took effect." };
  if (expected.kind === "steps-skipped") return assessSkip({ rollout, promoted });
  if (hasMovedOn({ expected, rollout, promoted }))
    return { state: "effective", message: describeNow(rollout, promoted) };
  return { state: "pending" };
}

function assessAbort(input: { expected: ExpectedEffect; rollout: RolloutObject; promoted: boolean }): EffectAssessment {
  const { status } = input.rollout;
  // The controller stamps abortedAt when it acts on the flag, so the flag alone is only our own patch.
  const stamped = status.abortedAt !== undefined && status.abortedAt !== input.expected.abortedAt;
  const reported = status.conditions?.some(({ reason }) => reason === "RolloutAborted") ?? false;
  if (status.abort && (stamped || reported)) return { state: "effective", message: "The rollout is aborted." };
  if (!status.abort && input.promoted)
    return { state: "not-effective", message: "The rollout was fully promoted before the abort took effect." };
  return { state: "pending" };
}

function assessRetry({ expected, rollout }: { expected: ExpectedEffect; rollout: RolloutObject }): EffectAssessment {
  const { status } = rollout;
  // Aborted anew by a failing analysis or a person: the retry did begin.
  const again = status.abort && status.abortedAt !== undefined && status.abortedAt !== expected.abortedAt;
  if (again) return { state: "effective", message: "The rollout started again, and was aborted again." };
  const taken = !status.abort && (status.abortedAt === undefined || status.abortedAt !== expected.abortedAt);
  const still = expected.abortedAt === undefined && status.phase === "Degraded";
  return taken && !still ? { state: "effective", message: "The rollout started again." } : { state: "pending" };
}

function assessPromotion({ rollout, promoted }: { rollout: RolloutObject; promoted: boolean }): EffectAssessment {
  if (promoted) return { state: "effective", message: describeNow(rollout, promoted) };
  // The controller clears the flag when it promotes, and when another version takes the place of this one.
  if (!rollout.status.promoteFull && rollout.status.abort)
    return { state: "not-effective", message: "The rollout was aborted before it was promoted." };
  return { state: "pending" };
}

function assessSkip({ rollout, promoted }: { rollout: RolloutObject; promoted: boolean }): EffectAssessment {
  if (promoted) return { state: "effective", message: describeNow(rollout, promoted) };
  if (currentStepOf(rollout) < stepsOf(rollout).length)
    return { state: "not-effective", message: "The steps were set back before the new version got all traffic." };
  return { state: "pending" };
}

/** A change of the spec is taken up once the controller has observed this generation of it. */
function assessSpecChange({
  expected,
  rollout: { metadata, spec, status },
}: {
  expected: ExpectedEffect;
  rollout: RolloutObject;
}): EffectAssessment {
  const stands =
    expected.kind === "restarted"
      ? spec.restartAt === expected.restartAt
      : spec.paused === (expected.kind === "paused");
  if (!stands) return { state: "not-effective", message: "Somebody set the spec back before the controller saw it." };
  if (metadata.generation === undefined || status.observedGeneration !== String(metadata.generation))
    return { state: "pending" };
  const words = {
    paused: "The rollout is held.",
    unpaused: "The pause in spec.paused is lifted.",
    restarted: "The controller restarts the pods.",
  };
  return { state: "effective", message: words[expected.kind as keyof typeof words] };
}

function hasMovedOn({
  expected,
  rollout,
  promoted,
}: {
  expected: ExpectedEffect;
  rollout: RolloutObject;
  promoted: boolean;
}): boolean {
  const { status } = rollout;
  if (promoted) return true;
  const pauses = status.pauseConditions ?? [];
  const same = expected.pauses.some((seen) =>
    pauses.some(({ reason, startTime }) => reason === seen.reason && startTime === seen.startTime),
  );
  if (same) return false;
  const step = currentStepOf(rollout);
  const running = [
    status.canary?.currentStepAnalysisRunStatus?.name,
    status.canary?.currentBackgroundAnalysisRunStatus?.name,
    status.blueGreen?.prePromotionAnalysisRunStatus?.name,
    status.blueGreen?.postPromotionAnalysisRunStatus?.name,
  ];
  const replaced = !expected.runs.some((name) => running.includes(name));
  switch (expected.kind) {
    // Our own patch moved the index by one: the controller has acted once the accepted run is no longer current.
    case "step-passed":
      return step > expected.step + 1 || (step === expected.step + 1 && replaced);
    case "measured-again":
      return step > expected.step || (replaced && experimentReplaced({ expected, rollout }));
    // controllerPause true without conditions is "resumed by a person, not yet taken up".
    default:
      return step > expected.step || ((!status.controllerPause || pauses.length > 0) && replaced);
  }
}

function experimentReplaced({ expected, rollout }: { expected: ExpectedEffect; rollout: RolloutObject }): boolean {
  return !expected.pauses.some(({ reason }) => reason === "InconclusiveExperiment")
    ? true
    : rollout.status.canary?.currentExperiment !== expected.experiment;
}

function describeNow(rollout: RolloutObject, promoted: boolean): string {
  if (promoted) return "The rollout is fully promoted.";
  const steps = rollout.spec.strategy.canary?.steps?.length ?? 0;
  return steps === 0 ? "The rollout goes on." : `The rollout goes on at step ${currentStepOf(rollout)} of ${steps}.`;
}
