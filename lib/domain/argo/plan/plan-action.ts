import { entryOf, isProtective, type RolloutActionName, rolloutActions } from "#lib/domain/acting/action-catalogue.ts";
import type { ActionParams } from "#lib/domain/acting/action-params.ts";
import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { type ActionFacts, readActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatAbortEffect, formatKubectl } from "#lib/domain/argo/plan/action-text.ts";
import { planAcceptStep } from "#lib/domain/argo/plan/plan-accept-step.ts";
import { planContinue, planContinueWaive, planMeasureAgain } from "#lib/domain/argo/plan/plan-going-on.ts";
import type { LiveObjects } from "#lib/domain/argo/plan/plan-revisions.ts";
import { planPromoteFull, planSkipAll, planSkipStep } from "#lib/domain/argo/plan/plan-skips.ts";
import { planPause, planRestart, planUnpause } from "#lib/domain/argo/plan/plan-spec-changes.ts";
import { planSetImage } from "#lib/domain/argo/plan/plan-template.ts";
import {
  type ArgoPlan,
  type Draft,
  listJudging,
  type PlanInput,
  type Planner,
  warnOfEnded,
} from "#lib/domain/argo/plan/plan-types.ts";
import { planUndo } from "#lib/domain/argo/plan/plan-undo.ts";
import type { TaggedImage } from "#lib/domain/argo/view/name-versions.ts";

/**
 * Turns an action and a fresh Rollout into merge patches, or into a refusal with its reason. Mirrors the commands of
 * argo-rollouts 9f8d111 (pkg/kubectl-argo-rollouts/cmd: promote, abort, retry, pause, restart, undo, set), split by
 * meaning. Invariant: only `accept-step` and the skips move the step index, so that a late Continue cannot skip a
 * running step.
 *
 * | action | strategy | pauseConditions | controllerPause | Inconclusive now | patches |
 * |---|---|---|---|---|---|
 * | continue | any | CanaryPauseStep, BlueGreenPause only; not a timed promotion | any | none | status: pauseConditions null |
 * | accept-step | canary, analysis step, a pause next | not empty | true | step run, background run or not | status: pauseConditions CanaryPauseStep from now, controllerPause true, currentStepIndex N+1, no step run |
 * | accept-step | canary, analysis step | not empty | true | step run (background too: it pauses again for that) | status: pauseConditions null, controllerPause false, currentStepIndex N+1 |
 * | measure-again | any | InconclusiveAnalysisRun | true | step, pre- or post-promotion run | status: pauseConditions null |
 * | measure-again | canary | InconclusiveExperiment | true | experiment | status: pauseConditions null |
 * | continue-waive | canary | not empty | any | background run only | status: pauseConditions null |
 * | continue-waive | any | InconclusiveAnalysisRun | any | none named any more | status: pauseConditions null |
 * | skip-step | canary | none | any | none | status: currentStepIndex N+1 |
 * | skip-step | canary, experiment step | InconclusiveExperiment | any | experiment | as accept-step |
 * | skip-all | canary | none, CanaryPauseStep | any | none | status: currentStepIndex LEN |
 * | promote-full | any | any | any | any; not promoted (aborted too) | status: promoteFull true |
 * | unpause | any | any | any | any; spec.paused | main: spec.paused false |
 * | pause | any | any | any | any; not spec.paused | main: spec.paused true |
 * | restart | any | any | any | any | main: spec.restartAt now, or as requested |
 * | undo | any | any | any | any; another revision's ReplicaSet is left | main, or the Deployment of workloadRef: what differs in spec.template |
 * | set-image | any | any | any | any; the container has another image | main, or the Deployment of workloadRef: the list with that container |
 * | abort | any | any | any | any; not promoted, not aborted, no promoteFull | status: abort true |
 * | retry | any | any | any | any; aborted, not promoted | status: abort false |
 *
 * If spec.paused is true, the four that go on and promote-full also send `spec.paused: false` to the main resource. The
 * four send it before the status, unlike upstream (ADR 4); promote-full after it. continue-waive sends it after the
 * status too if no pause of a step or of blue-green exists (ADR 4). The skips are refused. If the controller refuses
 * the spec, only actions that can fix it remain, and pause.
 */
export function planAction({
  action,
  rollout,
  now,
  params = {},
  live,
  images,
}: {
  action: RolloutActionName;
  rollout: RolloutObject;
  now: Date;
  params?: ActionParams;
  /** Needed to plan undo and set-image; without it they are refused. */
  live?: LiveObjects | undefined;
  /** Images that the ReplicaSets run, as recorded; they name both versions. */
  images?: readonly TaggedImage[] | undefined;
}): ArgoPlan | ActionRefusal {
  if (!isArgoAction(action)) return refuse("not_offered", `A Rollout cannot do this: ${action}.`);
  const facts = readActionFacts(rollout, images);
  const blocked = findBlock({ action, facts });
  if (blocked !== undefined) return blocked;
  const draft = planners[action]({ rollout, facts, now, params, live });
  if ("kind" in draft) return draft;
  const { patches, shown = patches, warnings = [], kubectl = formatKubectl({ facts, patches }) } = draft;
  // Lifting spec.paused is a separate action.
  const also = patches.some(({ subresource, body }) => subresource === "" && readSpec(body)?.paused === false)
    ? (["unpause"] as const)
    : [];
  const ofTemplate = draft.expectedEffect.template !== undefined;
  return { ...draft, kind: "patches", shown, ofTemplate, warnings, also, kubectl };
}

function readSpec({ spec }: Record<string, unknown>): { paused?: unknown } | undefined {
  return typeof spec === "object" && spec !== null ? spec : undefined;
}

const planners = {
  continue: planContinue,
  "accept-step": planAcceptStep,
  "measure-again": planMeasureAgain,
  "continue-waive": planContinueWaive,
  "skip-step": planSkipStep,
  "skip-all": planSkipAll,
  "promote-full": planPromoteFull,
  pause: planPause,
  unpause: planUnpause,
  restart: planRestart,
  undo: planUndo,
  "set-image": planSetImage,
  abort: planAbort,
  retry: planRetry,
} satisfies Partial<Record<RolloutActionName, Planner>>;

/** The actions on a Rollout, in the order in which they are offered. */
export const argoActions = rolloutActions.filter(isArgoAction);

function isArgoAction(action: RolloutActionName): action is keyof typeof planners {
  return Object.hasOwn(planners, action);
}

/** Finds what blocks an action, regardless of what it changes. */
export function findBlock({
  action,
  facts,
}: {
  action: RolloutActionName;
  facts: ActionFacts;
}): ActionRefusal | undefined {
  if (facts.beingDeleted) return refuse("being_deleted", "The rollout is being deleted.");
  if (facts.invalidSpec !== undefined && !mayMend({ action, message: facts.invalidSpec }))
    return refuse("invalid_spec", formatInvalidSpec(facts.invalidSpec));
  // Protective actions let nothing through: an unknown word does not block them.
  if (isProtective(action)) return undefined;
  if (facts.unknownWord !== undefined)
    return refuse("unknown_state", `Its status contains an unknown value: ${facts.unknownWord}.`);
  // The others change what runs, or the spec.
  if (entryOf(action).answers !== "gate") return undefined;
  if (facts.aborted) return refuse("aborted", "The rollout is aborted; the controller would ignore it. Retry first.");
  if (facts.promoteFull) return refuse("promote_full_pending", "Full promotion was requested; no gate is waiting.");
  if (facts.pauses.length > 0) return undefined;
  return refuseWithoutPause(facts);
}

/**
 * Returns whether an action may fix an invalid spec. The controller reconciles nothing while it refuses the spec. Only
 * another spec changes that, and `pause`, which holds the update once the spec is valid again. Undo and set-image
 * change only the template.
 */
function mayMend({ action, message }: { action: RolloutActionName; message: string }): boolean {
  if (action === "pause") return true;
  if (action === "undo") return message.includes("spec.template");
  return action === "set-image" && message.split(/\s+/).some(namesImage);
}

function namesImage(word: string): boolean {
  const start = word.indexOf("spec.template");
  return start !== -1 && /\.image\b/.test(word.slice(start));
}

function formatInvalidSpec(message: string): string {
  const cut = message.length > maxQuoted ? `${message.slice(0, maxQuoted)}…` : message;
  return `The controller does nothing until the spec is valid again. It says: "${cut}"`;
}

const maxQuoted = 400;

function refuseWithoutPause(facts: ActionFacts): ActionRefusal {
  if (facts.controllerPause)
    return refuse("already_continued", "Someone has already continued; the controller has not acted on it yet.");
  if (facts.specPaused)
    return refuse("paused_in_spec", "Paused manually (spec.paused); no gate is waiting. Use Unpause.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; nothing is waiting.");
  return refuse("not_paused", "The rollout is not paused: continuing now would skip the running step.");
}

function planAbort({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.aborted) return refuse("already_aborted", "The rollout is already aborted.");
  if (facts.fullyPromoted)
    return refuse(
      "fully_promoted",
      "The rollout is fully promoted; the controller would drop the abort. Roll back instead.",
    );
  if (facts.promoteFull)
    return refuse("promote_full_pending", "Full promotion was requested; the controller would drop the abort.");
  return {
    patches: [{ subresource: "status", body: { status: { abort: true } } }],
    effect: formatAbortEffect({ rollout, facts }),
    warnings: warnOfEnded(listJudging(facts)),
    expectedEffect: planEffect({ rollout, kind: "aborted" }),
  };
}

function planRetry({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (!facts.aborted) return refuse("not_aborted", "The rollout is not aborted; there is nothing to retry.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; there is nothing to retry.");
  const from =
    facts.strategy === "canary" && facts.stepCount > 0 ? ` from step 1 of ${facts.stepCount}` : " from the start";
  const paused = facts.specPaused ? " It stays paused by spec.paused." : "";
  return {
    patches: [{ subresource: "status", body: { status: { abort: false } } }],
    effect: `Rolls out ${facts.newVersion} again${from} and repeats its analysis.${paused}`,
    expectedEffect: planEffect({ rollout, kind: "retried" }),
  };
}
