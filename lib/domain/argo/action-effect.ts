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
      return step > expected.step || (replaced && isTakenUp({ expected, rollout }));
    // controllerPause true without conditions is "resumed by a person, not yet taken up".
    default:
      return step > expected.step || ((!status.controllerPause || pauses.length > 0) && replaced);
  }
}

/** The experiment is another one already when the pause is set: what tells is that the controller met the lifted pause. */
function isTakenUp({ expected, rollout: { status } }: { expected: ExpectedEffect; rollout: RolloutObject }): boolean {
  if (!expected.pauses.some(({ reason }) => reason === "InconclusiveExperiment")) return true;
  return !status.controllerPause || (status.pauseConditions ?? []).length > 0;
}

function describeNow(rollout: RolloutObject, promoted: boolean): string {
  if (promoted) return "The rollout is fully promoted.";
  const steps = rollout.spec.strategy.canary?.steps?.length ?? 0;
  if (steps === 0) return "The rollout goes on.";
  return `The rollout goes on at ${formatStepPlace({ completed: currentStepOf(rollout), stepCount: steps })}.`;
}
