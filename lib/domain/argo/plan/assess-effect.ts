import type { EffectAssessment } from "#lib/domain/acting/effect.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { readImages } from "#lib/domain/argo/objects/template-images.ts";
import {
  type EffectKind,
  effectFacts,
  hasControllerWritten,
  type SeenEffect,
} from "#lib/domain/argo/plan/action-effect.ts";
import { assessGoingOn, describeNow } from "#lib/domain/argo/plan/assess-going-on.ts";
import { isRecord } from "#lib/util/json.ts";

/**
 * Judges by the current Rollout whether the controller has acted on the action, or never will. "Effective" needs a
 * change that only the controller can have written after our patch (argo-rollouts 1.10.2 and 1.9.3, rollout/*.go):
 *
 * | action | our patch | written only by the controller |
 * |---|---|---|
 * | continue, at a pause step | pauseConditions | the step index moves, with new conditions Paused and Progressing |
 * | continue, blue-green | pauseConditions | activeSelector is the new version, or scaleUpPreviewCheckPoint |
 * | continue-waive | pauseConditions | the background run is another one, controllerPause is cleared |
 * | measure-again | pauseConditions | the run or the experiment of the step is another one |
 * | accept-step | index N+1 | the accepted run is no longer a current one |
 * | skip-step | index N+1 | the next step's pause, run or experiment; otherwise any write of the controller |
 * | skip-all | index LEN | stableRS is the new version |
 * | promote-full | promoteFull | stableRS is the new version; the flag remains until then |
 * | abort | abort | abortedAt |
 * | retry | abort | abortedAt is cleared |
 * | pause, unpause | spec.paused | observedGeneration reaches that of our patch, without InvalidSpec |
 * | restart | spec.restartAt | restartedAt reaches it |
 * | undo, set-image | spec.template | currentPodHash is another one |
 * | terminate | spec.terminate | phase of the run or Experiment (`assessRunEffect`) |
 * | retry of an Experiment | status | phase of the Experiment (`assessRunEffect`) |
 *
 * An outside patch can move the index as well, so the controller's trace must have changed in any case.
 */
export function assessEffect({ expected, rollout }: Pick<SeenEffect, "expected" | "rollout">): EffectAssessment {
  const { stableRS, currentPodHash } = rollout.status;
  const promoted = stableRS !== "" && stableRS === currentPodHash;
  const assessed = assess({ expected, rollout, promoted });
  if (assessed.state === "not-effective") return assessed;
  const invalid = rollout.status.conditions?.find(({ type, status }) => type === "InvalidSpec" && status !== "False");
  if (assessed.state === "effective" && hasControllerWritten({ trace: expected.trace, rollout })) return assessed;
  if (invalid !== undefined)
    return {
      state: "pending",
      message: `The controller ignores the rollout while its spec is invalid: ${invalid.message}`,
    };
  return assessed.state === "effective" ? { state: "pending" } : assessed;
}

function assess(seen: SeenEffect): EffectAssessment {
  const { expected, rollout } = seen;
  const { metadata, status } = rollout;
  if (metadata.uid !== expected.uid)
    return { state: "not-effective", message: "The rollout was deleted and created again before it took effect." };
  const { ofAnyRevision, outlastsAbort } = effectFacts(expected.kind);
  if (ofAnyRevision !== true && status.currentPodHash !== expected.podHash)
    return {
      state: "not-effective",
      message: `A new revision (${status.currentPodHash}) replaced ${expected.podHash} before it took effect.`,
    };
  if (outlastsAbort !== true && status.abort)
    return { state: "not-effective", message: "The rollout was aborted before it took effect." };
  return judges[expected.kind](seen);
}

const judges: Readonly<Record<EffectKind, (seen: SeenEffect) => EffectAssessment>> = {
  resumed: assessGoingOn,
  "step-passed": assessGoingOn,
  "steps-skipped": assessSkip,
  "measured-again": assessGoingOn,
  promoted: assessPromotion,
  paused: assessHold,
  unpaused: assessHold,
  restarted: assessRestart,
  aborted: assessAbort,
  retried: assessRetry,
  "template-set": assessTemplateSet,
  // `assessRunEffect` judges these two.
  ended: assessGoingOn,
  "experiment-retried": assessGoingOn,
};

function reports(rollout: RolloutObject, reason: string): boolean {
  return rollout.status.conditions?.some((condition) => condition.reason === reason) ?? false;
}

/**
 * Judges an abort. The controller stamps abortedAt when it acts on the flag, so the flag by itself is only our own
 * patch. It resets the flag while a full promotion is pending (rollout/canary.go syncRolloutStatusCanary, RemoveAbort).
 */
function assessAbort({ expected, rollout, promoted }: SeenEffect): EffectAssessment {
  const { abort, abortedAt, promoteFull } = rollout.status;
  const isReported = reports(rollout, "RolloutAborted");
  if (abort && abortedAt !== undefined && abortedAt !== expected.abortedAt)
    return { state: "effective", message: "The rollout is aborted." };
  // Controllers before 1.0 do not write abortedAt.
  if (abort && abortedAt === undefined && isReported) return { state: "effective", message: "The rollout is aborted." };
  if (abort) return { state: "pending" };
  if (promoted)
    return { state: "not-effective", message: "The rollout was fully promoted before the abort took effect." };
  if (promoteFull)
    return {
      state: "not-effective",
      message: "The controller dropped the abort: full promotion was requested and is still in progress.",
    };
  // Acted on and undone between two looks: the condition Progressing shows it.
  if (reports(rollout, "RolloutRetry"))
    return { state: "effective", message: "The rollout was aborted, and has started again since." };
  return { state: "not-effective", message: "The abort was withdrawn before the controller acted on it." };
}

function assessRetry({ expected, rollout }: SeenEffect): EffectAssessment {
  const { abort, abortedAt } = rollout.status;
  // Aborted again by a failing analysis or a person: the retry did begin.
  if (abort && abortedAt !== undefined && abortedAt !== expected.abortedAt)
    return { state: "effective", message: "The rollout started again, and was aborted again." };
  if (abort) return { state: "not-effective", message: "The rollout was aborted again before the retry took effect." };
  if (expected.abortedAt === undefined && expected.trace === undefined && rollout.status.phase === "Degraded")
    return { state: "pending" };
  // Without abortedAt the controller had not acted on the abort yet: then any write of its own is proof
  // (`assessEffect`).
  return abortedAt === undefined || abortedAt !== expected.abortedAt
    ? { state: "effective", message: "The rollout started again." }
    : { state: "pending" };
}

/**
 * Judges a full promotion. The flag remains until the new version is ready: the controller clears it when it promotes,
 * or when it starts over.
 */
function assessPromotion({ rollout, promoted }: SeenEffect): EffectAssessment {
  if (promoted) return { state: "effective", message: describeNow(rollout, promoted) };
  const { promoteFull, abort } = rollout.status;
  if (promoteFull) return { state: "pending", message: "Promoting: waiting for the new version's pods." };
  return {
    state: "not-effective",
    message: abort
      ? "The rollout was aborted before it was promoted."
      : "The full promotion was withdrawn before it took effect.",
  };
}

function assessSkip({ rollout, promoted }: Pick<SeenEffect, "rollout" | "promoted">): EffectAssessment {
  if (promoted) return { state: "effective", message: describeNow(rollout, promoted) };
  if (currentStepOf(rollout) < stepsOf(rollout).length)
    return { state: "not-effective", message: "The steps were reset before the new version got all traffic." };
  return { state: "pending", message: "All steps are skipped: waiting for the new version's pods." };
}

/** Returns whether the controller has read the spec with our change, or a later one. */
function isObserved({
  expected: { answered },
  rollout: { metadata, status },
}: Pick<SeenEffect, "expected" | "rollout">): boolean {
  const wanted = answered?.generation ?? metadata.generation;
  return wanted !== undefined && status.observedGeneration !== "" && Number(status.observedGeneration) >= wanted;
}

/** Judges a pause in the spec, which applies to any revision. An invalid spec is observed too, but not acted on. */
function assessHold(seen: SeenEffect): EffectAssessment {
  const { expected, rollout } = seen;
  if (rollout.spec.paused !== (expected.kind === "paused"))
    return { state: "not-effective", message: "The spec was reverted before the controller saw it." };
  if (!isObserved(seen) || rollout.status.conditions?.some(({ type }) => type === "InvalidSpec"))
    return { state: "pending" };
  return {
    state: "effective",
    message: expected.kind === "paused" ? "The rollout is held." : "The pause in spec.paused is cleared.",
  };
}

/**
 * Judges a restart: restartedAt is set once no pod is older than restartAt (rollout/restart.go Reconcile); observing it
 * is only the start.
 */
function assessRestart(seen: SeenEffect): EffectAssessment {
  const { expected, rollout } = seen;
  const { spec, status } = rollout;
  const wanted = Date.parse(expected.restartAt ?? "");
  if (status.restartedAt !== undefined && Date.parse(status.restartedAt) >= wanted)
    return { state: "effective", message: "All pods were restarted." };
  if (spec.restartAt === undefined || Date.parse(spec.restartAt) !== wanted)
    return {
      state: "not-effective",
      message:
        spec.restartAt === undefined
          ? "The restart was cancelled before all pods were replaced."
          : `Another restart, of ${spec.restartAt}, replaced it before all pods were replaced.`,
    };
  return isObserved(seen)
    ? { state: "pending", message: "The controller restarts the pods: not all are replaced yet." }
    : { state: "pending" };
}

/**
 * Judges a template change: the controller has acted on it once the current pod hash is another one. The rollout may be
 * a recorded one, with values hidden: then only images can be compared.
 */
function assessTemplateSet(seen: SeenEffect): EffectAssessment {
  const { podHash, template } = seen.expected;
  const { spec, status } = seen.rollout;
  const hasMoved = status.currentPodHash !== podHash;
  const taken: EffectAssessment = {
    state: "effective",
    message: `The controller rolls out ${status.currentPodHash}.`,
  };
  if (template === undefined) return hasMoved ? taken : { state: "pending" };
  // Back to the current revision, from a template that the controller has not acted on: its hash never changes.
  const isSame = !hasMoved && isObserved(seen) && seen.expected.answered !== undefined;
  if ((hasMoved || isSame) && status.currentPodHash === template.podHash) return taken;
  const stands =
    spec.workloadRef !== undefined || spec.template === undefined || carriesImages(spec.template, template.images);
  if (!stands) return { state: "not-effective", message: "The template was changed before it took effect." };
  return hasMoved ? taken : { state: "pending" };
}

/** Returns whether every named container runs the image given with it. */
export function carriesImages(template: unknown, images: readonly { name: string; image: string }[]): boolean {
  const found = readImages(isRecord(template) ? template : {});
  return images.every(({ name, image }) => found.some((one) => one.name === name && one.image === image));
}
