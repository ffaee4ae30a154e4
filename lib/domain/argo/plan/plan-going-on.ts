import { type ActionPatch, type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { currentStepOf, type RolloutObject, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { type ExpectedEffect, planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { type ActionFacts, isInconclusive } from "#lib/domain/argo/plan/action-facts.ts";
import {
  formatContinues,
  formatRest,
  formatRestOfSwitch,
  formatStepPlace,
  nameStepAt,
  warnOfPassed,
} from "#lib/domain/argo/plan/action-text.ts";
import { isPauseStep } from "#lib/domain/argo/plan/hold-gate.ts";
import { warnOfRevert } from "#lib/domain/argo/plan/plan-spec-changes.ts";
import {
  type Draft,
  endSentence,
  nameOverridden,
  type PlanInput,
  refuseUnsettled,
  unpausePatch,
} from "#lib/domain/argo/plan/plan-types.ts";
import { describeBlueGreen } from "#lib/domain/argo/view/blue-green.ts";

export function planContinue({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const run = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (run !== undefined)
    return refuse(
      "inconclusive",
      `Run ${run.name} is Inconclusive: decide on it with Accept and continue or Measure again.`,
    );
  if (isInconclusive(facts.background))
    return refuse("would_waive", `Background run ${facts.background.name} is Inconclusive: use Override and continue.`);
  if (facts.pauses.includes("InconclusiveExperiment"))
    return refuse("inconclusive", "The experiment is Inconclusive: use Measure again.");
  if (facts.pauses.includes("InconclusiveAnalysisRun"))
    return refuse("would_waive", "It also waits for an Inconclusive analysis run: use Override and continue.");
  if (isTimed(rollout, facts)) return refuseTimed(rollout);
  const completed = currentStepOf(rollout) + 1;
  if (facts.strategy === "blueGreen") {
    const draft = clearPauses({
      rollout,
      facts,
      effect: `Clears the pause: the new version ${facts.newVersion} becomes active in place of ${facts.stableVersion || "none"}`,
      rest: formatRestOfSwitch(rollout),
      kind: "resumed",
    });
    return { ...draft, label: "Promote" };
  }
  return clearPauses({
    rollout,
    facts,
    effect: `Clears the pause: ${formatContinues({ rollout, completed })}`,
    rest: formatRest({ rollout, completed }),
    kind: "resumed",
  });
}

export function planMeasureAgain({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.pauses.includes("InconclusiveExperiment")) {
    if (!facts.controllerPause) return refuseUnsettled();
    // The controller has already begun the next experiment, with the pause (rollout/experiment.go reconcileExperiments
    // of 9f8d111). All pauses are cleared at once, so a new background run replaces an Inconclusive one too.
    const too = isInconclusive(facts.background) ? `; a new background run replaces ${facts.background.name}` : "";
    const effect = `Clears the pause: the restarted experiment decides ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}${too}`;
    return clearPauses({ rollout, facts, effect, kind: "measured-again" });
  }
  const run = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (run === undefined) {
    return isInconclusive(facts.background)
      ? refuse(
          "would_waive",
          `Only background run ${facts.background.name} is Inconclusive: the rollout would continue. Use Override and continue.`,
        )
      : refuse("not_inconclusive", "No Inconclusive analysis holds the rollout.");
  }
  // Without these two the controller does not treat the cleared pause as a request to measure again.
  if (!facts.controllerPause || !facts.pauses.includes("InconclusiveAnalysisRun")) return refuseUnsettled();
  const runs = [run, facts.background].filter(isInconclusive).map(({ name }) => name);
  const held =
    run === facts.stepRun
      ? `; the rollout stays at ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })}`
      : "";
  const effect = `Starts a new analysis run in place of ${runs.join(" and ")}${held} until it has a verdict`;
  return clearPauses({ rollout, facts, effect, kind: "measured-again", runs: [run.name] });
}

/**
 * Replaces an Inconclusive background run, which clears every existing pause. Its successor lets the controller pause
 * at later steps as usual. A pause step that the controller has not announced yet, because the run came first, is
 * passed.
 */
export function planContinueWaive({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const held = [facts.stepRun, facts.prePromotion, facts.postPromotion].find(isInconclusive);
  if (held !== undefined)
    return refuse("inconclusive", `Run ${held.name} holds the rollout: use Accept and continue or Measure again.`);
  if (facts.pauses.includes("InconclusiveExperiment"))
    return refuse("inconclusive", "The experiment is Inconclusive: use Measure again.");
  const isNamed = isInconclusive(facts.background);
  if (!isNamed && !facts.pauses.includes("InconclusiveAnalysisRun"))
    return refuse("not_inconclusive", "No background analysis ended Inconclusive.");
  const place = placeAfterWaive({ rollout, facts });
  const rest = facts.strategy === "canary" ? formatRest({ rollout, completed: place.completed }) : "";
  // The rest of the plan names the new run, if there is a rest.
  const restarts = rest === "" ? "; a new background run starts" : "";
  const effect = isNamed
    ? `Overrides the Inconclusive result of background run ${facts.background?.name} and ${place.clears}: ${place.continues}${restarts}`
    : `Clears the Inconclusive pause (the status no longer names its run): ${place.continues}`;
  const draft = clearPauses({
    rollout,
    facts,
    effect,
    rest,
    kind: "resumed",
    ...(isNamed && facts.background !== undefined ? { runs: [facts.background.name] } : {}),
    isStatusFirst: !facts.pauses.some((reason) => reason === "CanaryPauseStep" || reason === "BlueGreenPause"),
  });
  return {
    ...draft,
    warnings: [...(draft.warnings ?? []), ...warnOfPassed({ rollout, passed: place.passed })],
    passesPauses: place.passed,
    waives: isInconclusive(facts.background)
      ? nameOverridden(facts.background)
      : "an Inconclusive analysis that the status no longer names",
  };
}

type PlaceAfter = { completed: number; clears: string; continues: string; passed: number[] };

function placeAfterWaive({ rollout, facts }: Pick<PlanInput, "rollout" | "facts">): PlaceAfter {
  const current = currentStepOf(rollout);
  if (facts.strategy !== "canary")
    return {
      completed: current,
      clears: "clears the pause",
      continues: describePromotionAfter(rollout, facts),
      passed: [],
    };
  const isAnnounced = facts.pauses.includes("CanaryPauseStep");
  if (!isAnnounced && isPauseStep(stepsOf(rollout)[current])) {
    // While spec.paused is true the controller consumes the resume, and announces the pause once that is lifted
    // (ADR 4).
    const waits = `the rollout waits at ${formatStepPlace({ completed: current, stepCount: facts.stepCount })} (${nameStepAt(rollout, current)})`;
    if (facts.specPaused) return { completed: current, clears: "clears the pause", continues: waits, passed: [] };
    const continues = formatContinues({ rollout, completed: current + 1 });
    return { completed: current + 1, clears: "clears the pause", continues, passed: [current] };
  }
  const completed = current + (isAnnounced ? 1 : 0);
  const clears = isAnnounced
    ? `also skips the pause at ${formatStepPlace({ completed: current, stepCount: facts.stepCount })}, which cannot be cleared separately`
    : "clears the pause";
  return { completed, clears, continues: formatContinues({ rollout, completed }), passed: [] };
}

function describePromotionAfter(rollout: RolloutObject, facts: ActionFacts): string {
  if (!facts.pauses.includes("BlueGreenPause")) return "the rollout continues";
  return isTimed(rollout, facts)
    ? "its promotion timer restarts"
    : `the new version ${facts.newVersion} becomes active in place of ${facts.stableVersion || "none"}`;
}

function clearPauses({
  rollout,
  facts,
  effect,
  rest = "",
  kind,
  runs,
  isStatusFirst = false,
}: {
  rollout: RolloutObject;
  facts: ActionFacts;
  effect: string;
  /** What follows after it. */
  rest?: string;
  kind: ExpectedEffect["kind"];
  runs?: string[];
  isStatusFirst?: boolean;
}): Draft {
  const lifted = liftFirst({ rollout, facts, status: { pauseConditions: null } });
  return {
    ...lifted,
    // If there is no announced pause to resume, nothing is consumed; with spec.paused lifted first, the controller
    // would pass the next pause before the status arrives.
    patches: isStatusFirst ? lifted.patches.toReversed() : lifted.patches,
    effect: `${endSentence(effect, facts)}${rest}`,
    expectedEffect: planEffect({ rollout, kind, runs }),
  };
}

/**
 * Lifts `spec.paused` first if it holds the rollout too: in the other order the controller would consume the resume
 * (ADR 4).
 */
export function liftFirst({
  rollout,
  facts,
  status,
}: Pick<PlanInput, "rollout" | "facts"> & { status: Record<string, unknown> }): Pick<Draft, "patches"> & {
  warnings: string[];
} {
  const patch: ActionPatch = { subresource: "status", body: { status } };
  return facts.specPaused
    ? { patches: [unpausePatch, patch], warnings: warnOfRevert(rollout) }
    : { patches: [patch], warnings: [] };
}

function isTimed(rollout: RolloutObject, facts: ActionFacts): boolean {
  return facts.pauses.includes("BlueGreenPause") && describeBlueGreen(rollout)?.promotion === "timed";
}

/**
 * Refuses a timed pause. Only time ends it; if it is cleared, it is set again (rollout/pause.go CompletedBlueGreenPause
 * of 9f8d111).
 */
function refuseTimed(rollout: RolloutObject): ActionRefusal {
  const dueMs = describeBlueGreen(rollout)?.promotesAtMs ?? null;
  const at = dueMs === null ? "" : ` at ${new Date(dueMs).toISOString().slice(0, 19)}Z`;
  const held = rollout.spec.paused ? ", or once it is unpaused" : "";
  return refuse(
    "timed_promotion",
    `Its promotion is timed: clearing the pause only restarts the timer. It promotes by itself${at}${held}; use Promote fully to promote now.`,
  );
}
