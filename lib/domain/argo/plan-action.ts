import { type ExpectedEffect, planEffect } from "#lib/domain/argo/action-effect.ts";
import { type ActionFacts, isInconclusive, readActionFacts } from "#lib/domain/argo/action-facts.ts";
import { formatAbortEffect, formatGoesOn, formatKubectl } from "#lib/domain/argo/action-text.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/rollout-object.ts";

export type PlannedActionName = "continue" | "accept-step" | "measure-again" | "continue-waive" | "abort" | "retry";

export const plannedActions: readonly PlannedActionName[] = [
  "continue",
  "accept-step",
  "measure-again",
  "continue-waive",
  "abort",
  "retry",
];

export type ActionPatch = { subresource: "" | "status"; body: Record<string, unknown> };

export type ActionPlan = {
  kind: "patches";
  /** In this order; the second carries the resourceVersion of the first one's answer. */
  patches: ActionPatch[];
  /** What it will do, in a sentence with numbers. */
  effect: string;
  /** The results that it waives. */
  waives?: string;
  kubectl: string;
  expectedEffect: ExpectedEffect;
};

export type ActionRefusal = { kind: "refused"; reasonCode: string; reason: string };

type Draft = Pick<ActionPlan, "patches" | "effect" | "waives" | "expectedEffect">;
type Planner = (input: { rollout: RolloutObject; facts: ActionFacts }) => Draft | ActionRefusal;

/**
 * Turns an action and a fresh Rollout into merge patches, or into a refusal with its reason. Mirrors `promote`, `abort`
 * and `retry` of argo-rollouts 9f8d111 (pkg/kubectl-argo-rollouts/cmd/promote, /abort, /retry), split by meaning: no
 * plan here ever moves the step index except `accept-step`, so that a late Continue cannot skip a running step.
 *
 * | action | strategy | pauseConditions | controllerPause | Inconclusive now | patches |
 * |---|---|---|---|---|---|
 * | continue | any | CanaryPauseStep, BlueGreenPause only | any | none | status: pauseConditions null |
 * | accept-step | canary, analysis step | not empty | true | step run (background too: waived with it) | status: pauseConditions null, controllerPause false, currentStepIndex N+1 |
 * | measure-again | any | InconclusiveAnalysisRun | true | step, pre- or post-promotion run | status: pauseConditions null |
 * | measure-again | canary | InconclusiveExperiment | true | experiment | status: pauseConditions null |
 * | continue-waive | canary | not empty | any | background run only | status: pauseConditions null |
 * | continue-waive | any | InconclusiveAnalysisRun | any | none named any more | status: pauseConditions null |
 * | abort | any | any | any | any; not promoted, not aborted, no promoteFull | status: abort true |
 * | retry | any | any | any | any; aborted, not promoted | status: abort false |
 *
 * Where spec.paused is true, the four that go on also send `spec.paused: false` to the main resource, after the status.
 */
export function planAction({
  action,
  rollout,
}: {
  action: PlannedActionName;
  rollout: RolloutObject;
}): ActionPlan | ActionRefusal {
  const facts = readActionFacts(rollout);
  const blocked = findBlock({ action, facts });
  if (blocked !== undefined) return blocked;
  const draft = planners[action]({ rollout, facts });
  if ("kind" in draft) return draft;
  return { kind: "patches", ...draft, kubectl: formatKubectl({ facts, patches: draft.patches }) };
}

const planners: Record<PlannedActionName, Planner> = {
  continue: planContinue,
  "accept-step": planAcceptStep,
  "measure-again": planMeasureAgain,
  "continue-waive": planContinueWaive,
  abort: planAbort,
  retry: planRetry,
};

/** What blocks every action, or every one that advances. */
function findBlock({ action, facts }: { action: PlannedActionName; facts: ActionFacts }): ActionRefusal | undefined {
  if (facts.beingDeleted) return refuse("being_deleted", "The rollout is being deleted.");
  if (action === "abort") return undefined;
  if (facts.unknownWord !== undefined)
    return refuse("unknown_state", `Its status has a word that Gatehouse does not know: ${facts.unknownWord}.`);
  if (action === "retry") return undefined;
  if (facts.aborted) return refuse("aborted", "The rollout is aborted; the controller would ignore it. Retry first.");
  if (facts.promoteFull)
    return refuse("promote_full_pending", "Full promotion was asked for; nothing waits for a person any more.");
  if (facts.pauses.length > 0) return undefined;
  return refuseWithoutPause(facts);
}

function refuseWithoutPause(facts: ActionFacts): ActionRefusal {
  if (facts.controllerPause)
    return refuse("already_continued", "Someone has continued already; the controller has not taken it up yet.");
  if (facts.specPaused)
    return refuse("paused_in_spec", "A person paused it (spec.paused); no gate waits. Set spec.paused to false.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; nothing waits.");
  return refuse("not_paused", "The rollout is not paused: going on now would skip what is running.");
}

function planContinue({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
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

function planAcceptStep({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
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

function planMeasureAgain({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
  if (facts.pauses.includes("InconclusiveExperiment")) {
    if (!facts.controllerPause) return refuseUnsettled();
    // All pauses go at once, so an Inconclusive background run is measured anew too.
    const too = isInconclusive(facts.background) ? `; a new background run replaces ${facts.background.name}` : "";
    const effect = `Starts the experiment of step ${facts.step + 1} of ${facts.stepCount} again; the rollout stays at this step${too}`;
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
  const held = run === facts.stepRun ? `; the rollout stays at step ${facts.step + 1} of ${facts.stepCount}` : "";
  const effect = `Starts a new analysis run in place of ${runs.join(" and ")}${held} until it is judged`;
  return clearPauses({ rollout, facts, effect, kind: "measured-again", runs: [run.name] });
}

function planContinueWaive({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
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

function planAbort({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
  if (facts.aborted) return refuse("already_aborted", "The rollout is aborted already.");
  if (facts.fullyPromoted)
    return refuse(
      "fully_promoted",
      "The rollout is fully promoted; the controller would drop the abort. Roll back instead.",
    );
  if (facts.promoteFull)
    return refuse("promote_full_pending", "Full promotion was asked for; the controller would drop the abort.");
  return {
    patches: [{ subresource: "status", body: { status: { abort: true } } }],
    effect: formatAbortEffect({ rollout, facts }),
    expectedEffect: planEffect({ rollout, kind: "aborted" }),
  };
}

function planRetry({ rollout, facts }: Parameters<Planner>[0]): Draft | ActionRefusal {
  if (!facts.aborted) return refuse("not_aborted", "The rollout is not aborted; there is nothing to retry.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; there is nothing to retry.");
  const from =
    facts.strategy === "canary" && facts.stepCount > 0 ? ` from step 0 of ${facts.stepCount}` : " from the start";
  const paused = facts.specPaused ? " It stays paused by spec.paused." : "";
  return {
    patches: [{ subresource: "status", body: { status: { abort: false } } }],
    effect: `Rolls out ${facts.podHash} again${from}; its analysis runs anew.${paused}`,
    expectedEffect: planEffect({ rollout, kind: "retried" }),
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

function withUnpause(facts: ActionFacts, patch: ActionPatch): ActionPatch[] {
  return facts.specPaused ? [patch, { subresource: "", body: { spec: { paused: false } } }] : [patch];
}

function endSentence(text: string, facts: ActionFacts): string {
  return facts.specPaused ? `${text}. Also lifts the pause in spec.paused.` : `${text}.`;
}

function refuseUnsettled(): ActionRefusal {
  return refuse(
    "not_settled",
    "The controller has not recorded its pause for the Inconclusive result yet. Look again in a moment.",
  );
}

function refuse(reasonCode: string, reason: string): ActionRefusal {
  return { kind: "refused", reasonCode, reason };
}
