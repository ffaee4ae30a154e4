import { type ExpectedEffect, planEffect } from "#lib/domain/argo/action-effect.ts";
import { type ActionFacts, isInconclusive } from "#lib/domain/argo/action-facts.ts";
import { formatGoesOn, formatStepPlace } from "#lib/domain/argo/action-text.ts";
import { describeBlueGreen } from "#lib/domain/argo/blue-green.ts";
import { warnOfRevert } from "#lib/domain/argo/plan-spec-changes.ts";
import {
  type ActionPatch,
  type ActionRefusal,
  type Draft,
  endSentence,
  type PlanInput,
  refuse,
  unpausePatch,
} from "#lib/domain/argo/plan-types.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/rollout-object.ts";

export function planContinue({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const run = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (run !== undefined)
    return refuse(
      "inconclusive",
      `Run ${run.name} is Inconclusive: decide on it with Accept and continue or Measure again.`,
    );
  if (isInconclusive(facts.background))
    return refuse("would_waive", `Background run ${facts.background.name} is Inconclusive: use Continue and waive.`);
  if (facts.pauses.includes("InconclusiveExperiment"))
    return refuse("inconclusive", "The experiment is Inconclusive: use Measure again.");
  if (facts.pauses.includes("InconclusiveAnalysisRun"))
    return refuse("would_waive", "It also waits for an Inconclusive analysis run: use Continue and waive.");
  if (isTimed(rollout, facts)) return refuseTimed(rollout);
  const what =
    facts.strategy === "blueGreen"
      ? `Clears the pause: the new version ${facts.podHash} becomes active in place of ${facts.stableHash || "none"}`
      : `Clears the pause: ${formatGoesOn({ rollout, completed: currentStepOf(rollout) + 1 })}`;
  return clearPauses({ rollout, facts, effect: what, kind: "resumed" });
}

export function planAcceptStep({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const { stepRun } = facts;
  if (facts.strategy !== "canary" || stepsOf(rollout)[facts.step]?.analysis === undefined || !isInconclusive(stepRun))
    return refuse("not_inconclusive", "The current step is no analysis that ended Inconclusive.");
  if (!facts.controllerPause) return refuseUnsettled();
  const completed = Math.min(facts.step + 1, facts.stepCount);
  const isLast = completed === facts.stepCount;
  const goesOn = formatGoesOn({ rollout, completed });
  return {
    ...lift({
      rollout,
      facts,
      status: { pauseConditions: null, controllerPause: false, currentStepIndex: completed },
    }),
    effect: endSentence(
      isInconclusive(facts.background)
        ? describeAcceptedAlone({ run: stepRun.name, background: facts.background.name, goesOn, isLast })
        : `Accepts the Inconclusive result of ${stepRun.name}: ${goesOn}`,
      facts,
    ),
    waives:
      isLast && isInconclusive(facts.background)
        ? `run ${stepRun.name}, and run ${facts.background.name} where it promotes at once`
        : `run ${stepRun.name}`,
    expectedEffect: planEffect({ rollout, kind: "step-passed", runs: [stepRun.name] }),
  };
}

/**
 * With controllerPause false the controller takes an Inconclusive background run for one that it has not paused for yet
 * (rollout/analysis.go needsNewAnalysisRun of 9f8d111). Behind the last step it promotes before that, where it can.
 */
function describeAcceptedAlone({
  run,
  background,
  goesOn,
  isLast,
}: {
  run: string;
  background: string;
  goesOn: string;
  isLast: boolean;
}): string {
  const held = `background run ${background}, Inconclusive too`;
  return isLast
    ? `Accepts the Inconclusive result of ${run}: ${goesOn}; only where the new version lacks pods does it pause again for ${held}`
    : `Accepts the Inconclusive result of ${run} alone: ${goesOn}, and pauses again at once for ${held}`;
}

export function planMeasureAgain({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.pauses.includes("InconclusiveExperiment")) {
    if (!facts.controllerPause) return refuseUnsettled();
    // The controller has begun the next experiment by itself, with the pause (rollout/experiment.go reconcileExperiments
    // of 9f8d111). All pauses go at once, so an Inconclusive background run is measured anew too.
    const too = isInconclusive(facts.background) ? `; a new background run replaces ${facts.background.name}` : "";
    const effect = `Lifts the pause: the experiment that the controller began anew decides ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}${too}`;
    return clearPauses({ rollout, facts, effect, kind: "measured-again" });
  }
  const run = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (run === undefined) {
    return isInconclusive(facts.background)
      ? refuse(
          "would_waive",
          `Only background run ${facts.background.name} is Inconclusive: the rollout would go on. Use Continue and waive.`,
        )
      : refuse("not_inconclusive", "No analysis that holds the rollout ended Inconclusive.");
  }
  // Without these two the controller does not take the cleared pause as a wish to measure again.
  if (!facts.controllerPause || !facts.pauses.includes("InconclusiveAnalysisRun")) return refuseUnsettled();
  const runs = [run, facts.background].filter(isInconclusive).map(({ name }) => name);
  const held =
    run === facts.stepRun
      ? `; the rollout stays at ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}`
      : "";
  const effect = `Starts a new analysis run in place of ${runs.join(" and ")}${held} until it is judged`;
  return clearPauses({ rollout, facts, effect, kind: "measured-again", runs: [run.name] });
}

export function planContinueWaive({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const held = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (held !== undefined)
    return refuse("inconclusive", `Run ${held.name} holds the rollout: use Accept and continue or Measure again.`);
  if (facts.pauses.includes("InconclusiveExperiment"))
    return refuse("inconclusive", "The experiment is Inconclusive: use Measure again.");
  const atPauseStep = facts.pauses.includes("CanaryPauseStep");
  const completed = currentStepOf(rollout) + (atPauseStep ? 1 : 0);
  const goesOn =
    facts.strategy === "canary"
      ? formatGoesOn({ rollout, completed })
      : isTimed(rollout, facts)
        ? "the timer of its promotion starts anew"
        : "the rollout goes on";
  if (isInconclusive(facts.background)) {
    const { name } = facts.background;
    const all = atPauseStep
      ? "the Inconclusive pause and the pause step, which cannot be cleared one by one"
      : "the pause";
    const effect = `Waives the Inconclusive result of background run ${name} and clears ${all}: ${goesOn}; a new background run starts`;
    return { ...clearPauses({ rollout, facts, effect, kind: "resumed", runs: [name] }), waives: `run ${name}` };
  }
  if (!facts.pauses.includes("InconclusiveAnalysisRun"))
    return refuse("not_inconclusive", "No background analysis ended Inconclusive.");
  const effect = `Clears the Inconclusive pause, whose run the status no longer names: ${goesOn}`;
  return {
    ...clearPauses({ rollout, facts, effect, kind: "resumed" }),
    waives: "an Inconclusive analysis that the status no longer names",
  };
}

function clearPauses({
  rollout,
  facts,
  effect,
  kind,
  runs,
}: {
  rollout: RolloutObject;
  facts: ActionFacts;
  effect: string;
  kind: ExpectedEffect["kind"];
  runs?: string[];
}): Draft {
  return {
    ...lift({ rollout, facts, status: { pauseConditions: null } }),
    effect: endSentence(effect, facts),
    expectedEffect: planEffect({ rollout, kind, runs }),
  };
}

/** With `spec.paused` lifted first, where it holds the rollout too: behind it the controller would use the resume up (ADR 15). */
function lift({
  rollout,
  facts,
  status,
}: Pick<PlanInput, "rollout" | "facts"> & { status: Record<string, unknown> }): Pick<Draft, "patches" | "warnings"> {
  const patch: ActionPatch = { subresource: "status", body: { status } };
  return facts.specPaused
    ? { patches: [unpausePatch, patch], warnings: warnOfRevert(rollout) }
    : { patches: [patch], warnings: [] };
}

function isTimed(rollout: RolloutObject, facts: ActionFacts): boolean {
  return facts.pauses.includes("BlueGreenPause") && describeBlueGreen(rollout)?.promotion === "timed";
}

/** Only the time ends such a pause; one that is cleared is set anew (rollout/pause.go CompletedBlueGreenPause of 9f8d111). */
function refuseTimed(rollout: RolloutObject): ActionRefusal {
  const dueMs = describeBlueGreen(rollout)?.promotesAtMs ?? null;
  const at = dueMs === null ? "" : ` at ${new Date(dueMs).toISOString().slice(0, 19)}Z`;
  const held = rollout.spec.paused ? ", or once it is unpaused" : "";
  return refuse(
    "timed_promotion",
    `Its promotion is timed: clearing the pause only restarts the timer. It promotes by itself${at}${held}; use Promote fully to promote now.`,
  );
}

function refuseUnsettled(): ActionRefusal {
  return refuse(
    "not_settled",
    "The controller has not recorded its pause for the Inconclusive result yet. Look again in a moment.",
  );
}
