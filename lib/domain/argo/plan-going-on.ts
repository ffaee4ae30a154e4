import { type ExpectedEffect, planEffect } from "#lib/domain/argo/action-effect.ts";
import { type ActionFacts, isInconclusive } from "#lib/domain/argo/action-facts.ts";
import { formatGoesOn, formatStepPlace } from "#lib/domain/argo/action-text.ts";
import {
  type ActionRefusal,
  type Draft,
  endSentence,
  type PlanInput,
  refuse,
  withUnpause,
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
  const runs = [stepRun, facts.background].filter(isInconclusive).map(({ name }) => name);
  const background = isInconclusive(facts.background) ? `; a new background run replaces ${facts.background.name}` : "";
  return {
    patches: withUnpause(facts, {
      subresource: "status",
      body: { status: { pauseConditions: null, controllerPause: false, currentStepIndex: completed } },
    }),
    effect: endSentence(
      `Accepts the Inconclusive result of ${stepRun.name}: ${formatGoesOn({ rollout, completed })}${background}`,
      facts,
    ),
    waives: runs.length === 1 ? `run ${stepRun.name}` : `runs ${runs.join(" and ")}`,
    expectedEffect: planEffect({ rollout, kind: "step-passed", runs: [stepRun.name] }),
  };
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
  const goesOn = facts.strategy === "canary" ? formatGoesOn({ rollout, completed }) : "the rollout goes on";
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
    patches: withUnpause(facts, { subresource: "status", body: { status: { pauseConditions: null } } }),
    effect: endSentence(effect, facts),
    expectedEffect: planEffect({ rollout, kind, runs }),
  };
}

function refuseUnsettled(): ActionRefusal {
  return refuse(
    "not_settled",
    "The controller has not recorded its pause for the Inconclusive result yet. Look again in a moment.",
  );
}
