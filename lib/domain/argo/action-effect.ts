import { z } from "zod";
import { formatStepPlace } from "#lib/domain/argo/action-text.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/rollout-object.ts";
import { readImages } from "#lib/domain/argo/template-images.ts";
import { isFields } from "#lib/util/diff-merge.ts";

/** What is patched where that is not the rollout itself; `resourceVersion` as it was when the plan was made. */
export const PatchTarget = z.object({
  resource: z.enum(["deployments", "analysisruns", "experiments"]),
  kind: z.enum(["Deployment", "AnalysisRun", "Experiment"]),
  name: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
});
export type PatchTarget = z.infer<typeof PatchTarget>;

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
    "template-set",
    "ended",
    "experiment-retried",
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
  /** Digests of the pod template, since its values may be secret; the images are none. */
  template: z
    .object({
      before: z.string(),
      wanted: z.string(),
      podHash: z.string().optional(),
      images: z.array(z.object({ name: z.string(), image: z.string() })),
    })
    .optional(),
  /** What was patched where that is not the rollout itself. */
  target: PatchTarget.optional(),
  /** When the experiment that is retried had ended. */
  endedAt: z.string().optional(),
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
  if (kind === "promoted" || kind === "steps-skipped") return 600;
  // An Experiment ends once its pods and runs have; a referenced Deployment is taken up at the next resync at the latest.
  return kind === "ended" || kind === "experiment-retried" || kind === "template-set" ? 120 : 30;
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
  if (expected.kind === "template-set") return assessTemplateSet({ expected, rollout });
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
  const again = expected.kind === "resumed" && !promoted ? listPausedAgain({ expected, rollout }) : [];
  if (again.length > 0)
    return {
      state: "not-effective",
      message: `It waits again${formatAt(rollout)} (${again.join(", ")}): the controller paused it anew without going on.`,
    };
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
  const words: Partial<Record<ExpectedEffect["kind"], string>> = {
    paused: "The rollout is held.",
    unpaused: "The pause in spec.paused is lifted.",
    restarted: "The controller restarts the pods.",
  };
  return { state: "effective", message: words[expected.kind] ?? "" };
}

/**
 * The controller has taken a template up once it calls another pod hash the current one. The rollout may be a recorded
 * one, with values hidden: images are what can be compared.
 */
function assessTemplateSet({
  expected: { podHash, template },
  rollout: { spec, status },
}: {
  expected: ExpectedEffect;
  rollout: RolloutObject;
}): EffectAssessment {
  const hasMoved = status.currentPodHash !== podHash;
  if (template === undefined)
    return hasMoved ? { state: "effective", message: describeTaken(status) } : { state: "pending" };
  if (hasMoved && status.currentPodHash === template.podHash)
    return { state: "effective", message: describeTaken(status) };
  const stands =
    spec.workloadRef !== undefined || spec.template === undefined || carriesImages(spec.template, template.images);
  if (!stands) return { state: "not-effective", message: "Somebody set another template before it took effect." };
  return hasMoved ? { state: "effective", message: describeTaken(status) } : { state: "pending" };
}

function describeTaken({ currentPodHash }: RolloutObject["status"]): string {
  return `The controller rolls out ${currentPodHash}.`;
}

/** Whether every container that is named runs the image that is named with it. */
export function carriesImages(template: unknown, images: readonly { name: string; image: string }[]): boolean {
  const found = readImages(isFields(template) ? template : {});
  return images.every(({ name, image }) => found.some((one) => one.name === name && one.image === image));
}

/** A run or an Experiment, as recorded or live. */
export type RunState = { uid: string; phase: string; endedAt: string | undefined };

const endedPhases = ["Successful", "Failed", "Error", "Inconclusive"];

export function hasEnded(phase: string): boolean {
  return endedPhases.includes(phase);
}

/** Judges from what was terminated, or retried, whether the controller has taken it up. */
export function assessRunEffect({ expected, run }: { expected: ExpectedEffect; run: RunState }): EffectAssessment {
  if (expected.target !== undefined && run.uid !== expected.target.uid)
    return { state: "not-effective", message: "It was deleted and created again before it took effect." };
  if (expected.kind === "ended")
    return hasEnded(run.phase) ? { state: "effective", message: `It ended as ${run.phase}.` } : { state: "pending" };
  const isAnew = hasEnded(run.phase) ? run.endedAt !== expected.endedAt : run.phase !== "";
  return isAnew ? { state: "effective", message: "It has started again." } : { state: "pending" };
}

type Seen = { expected: ExpectedEffect; rollout: RolloutObject };

function hasMovedOn({ expected, rollout, promoted }: Seen & { promoted: boolean }): boolean {
  const { status } = rollout;
  if (promoted) return true;
  const pauses = status.pauseConditions ?? [];
  const same = pauses.some((pause) => expected.pauses.some((seen) => isSamePause(seen, pause)));
  if (same) return false;
  const step = currentStepOf(rollout);
  const replaced = isReplaced({ expected, rollout });
  switch (expected.kind) {
    // Our own patch moved the index by one: the controller has acted once what it passed is no longer current.
    case "step-passed":
      return (
        step > expected.step + 1 || (step === expected.step + 1 && replaced && !isInExperiment({ expected, rollout }))
      );
    case "measured-again":
      return step > expected.step || (replaced && isTakenUp({ expected, rollout }));
    default:
      return step > expected.step || (replaced && isResumed({ expected, rollout }));
  }
}

type Pause = { reason: string; startTime?: string | undefined };

function isSamePause(one: Pause, other: Pause): boolean {
  return one.reason === other.reason && one.startTime === other.startTime;
}

/** Whether none of the runs that were Inconclusive is a current one any more. */
function isReplaced({ expected, rollout: { status } }: Seen): boolean {
  const running = [
    status.canary?.currentStepAnalysisRunStatus?.name,
    status.canary?.currentBackgroundAnalysisRunStatus?.name,
    status.blueGreen?.prePromotionAnalysisRunStatus?.name,
    status.blueGreen?.postPromotionAnalysisRunStatus?.name,
  ];
  return !expected.runs.some((name) => running.includes(name));
}

/**
 * Reasons that were cleared and stand again, from a later time, at the same step: the controller has used the resume up
 * without going on, as it does while `spec.paused` holds it. A new run that is Inconclusive as well is another matter.
 */
function listPausedAgain({ expected, rollout }: Seen): string[] {
  if (currentStepOf(rollout) !== expected.step) return [];
  const isNewRun = expected.runs.length > 0 && isReplaced({ expected, rollout });
  return (rollout.status.pauseConditions ?? [])
    .filter((pause) => expected.pauses.some(({ reason }) => reason === pause.reason))
    .filter((pause) => !expected.pauses.some((seen) => isSamePause(seen, pause)))
    .map(({ reason }) => reason)
    .filter((reason) => !(isNewRun && reason === "InconclusiveAnalysisRun"));
}

/**
 * Past a pause step the index moves in the same write that takes the resume up, before the promotion the active Service
 * does (rollout/canary.go syncRolloutStatusCanary, bluegreen.go rolloutBlueGreen of 9f8d111). Otherwise controllerPause
 * true without conditions is "resumed by a person, not yet taken up".
 */
function isResumed({ expected, rollout }: Seen): boolean {
  const { status } = rollout;
  const waitedFor = (reason: string) => expected.pauses.some((pause) => pause.reason === reason);
  if (waitedFor("CanaryPauseStep") && expected.step < stepsOf(rollout).length) return false;
  if (waitedFor("BlueGreenPause"))
    return (
      status.blueGreen?.activeSelector === status.currentPodHash || status.blueGreen?.scaleUpPreviewCheckPoint === true
    );
  return !status.controllerPause || (status.pauseConditions ?? []).length > 0;
}

/** The experiment of the step that was passed is still the current one, and the next step is none that would keep it. */
function isInExperiment({ expected, rollout }: Seen): boolean {
  const [passed, next] = stepsOf(rollout).slice(expected.step, expected.step + 2);
  return (
    passed?.experiment !== undefined &&
    next?.experiment === undefined &&
    expected.experiment !== undefined &&
    rollout.status.canary?.currentExperiment === expected.experiment
  );
}

/** The experiment is another one already when the pause is set: what tells is that the controller met the lifted pause. */
function isTakenUp({ expected, rollout: { status } }: Seen): boolean {
  if (!expected.pauses.some(({ reason }) => reason === "InconclusiveExperiment")) return true;
  return !status.controllerPause || (status.pauseConditions ?? []).length > 0;
}

function describeNow(rollout: RolloutObject, promoted: boolean): string {
  if (promoted) return "The rollout is fully promoted.";
  const waits = [
    ...(rollout.status.pauseConditions ?? []).map(({ reason }) => reason),
    ...(rollout.spec.paused ? ["spec.paused"] : []),
  ].join(", ");
  const at = formatAt(rollout);
  if (waits === "") return `The rollout goes on${at}.`;
  return at === "" ? `The rollout waits: ${waits}.` : `The rollout is${at} and waits: ${waits}.`;
}

function formatAt(rollout: RolloutObject): string {
  const stepCount = stepsOf(rollout).length;
  return stepCount === 0 ? "" : ` at ${formatStepPlace({ completed: currentStepOf(rollout), stepCount })}`;
}
