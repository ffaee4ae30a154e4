import { type ActionPatch, type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { type RolloutObject, type RolloutRunStatus, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { type ActionFacts, isInconclusive } from "#lib/domain/argo/plan/action-facts.ts";
import {
  formatContinues,
  formatKubectl,
  formatRest,
  formatStepPlace,
  nameStepAt,
} from "#lib/domain/argo/plan/action-text.ts";
import { clearsStepRun, isPauseStep, passStepStatus, withTimeOfShell } from "#lib/domain/argo/plan/hold-gate.ts";
import { warnOfRevert } from "#lib/domain/argo/plan/plan-spec-changes.ts";
import {
  type Draft,
  endSentence,
  isOpen,
  listJudging,
  nameOverridden,
  type PlanInput,
  unpausePatch,
  warnOfEnded,
} from "#lib/domain/argo/plan/plan-types.ts";
import { formatList } from "#lib/util/words.ts";

/**
 * Passes the running step. An Inconclusive experiment can be passed in no other way short of full promotion: its pause
 * is cleared too, which the controller would otherwise keep for ever (rollout/pause.go removes only the reason
 * CanaryPauseStep by itself).
 */
export function planSkipStep({ rollout, facts, now }: PlanInput): Draft | ActionRefusal {
  const blocked = refuseSkip({ facts, what: "step" });
  if (blocked !== undefined) return blocked;
  if (facts.pauses.includes("CanaryPauseStep"))
    return refuse("at_pause_step", "It waits at a pause step: use Continue, which clears the pause.");
  const step = stepsOf(rollout)[facts.step];
  if (step === undefined) return refuse("no_steps_left", "All steps are completed; nothing is left to skip.");
  const completed = facts.step + 1;
  const passesExperiment = facts.pauses.includes("InconclusiveExperiment");
  // The controller may pass the next pause before announcing it for two reasons: an analysis that ends Inconclusive
  // meanwhile, or a resume that it has not acted on yet.
  const isAtRisk = facts.background !== undefined || facts.controllerPause;
  const holds = isPauseStep(stepsOf(rollout)[completed]) && isAtRisk;
  const status =
    passesExperiment || holds ? passStepStatus({ rollout, completed, now }) : { currentStepIndex: completed };
  const patches: ActionPatch[] = [{ subresource: "status", body: { status } }];
  const skipped = `Skips ${formatStepPlace({ completed: facts.step, stepCount: facts.stepCount })} (${nameStepAt(rollout, facts.step)})`;
  // If the next step is an experiment too, it takes over the running one (rollout/experiment.go, reconcileExperiments).
  const isKept = step.experiment !== undefined && stepsOf(rollout)[completed]?.experiment !== undefined;
  const kept =
    isKept && facts.experiment !== undefined
      ? [
          `Experiment ${facts.experiment} has not ended: it continues as the experiment of ${formatStepPlace({ completed, stepCount: facts.stepCount })}.`,
        ]
      : [];
  return {
    patches,
    kubectl: withTimeOfShell(formatKubectl({ facts, patches }), now),
    effect: `${skipped}: ${formatContinues({ rollout, completed })}.${formatRest({ rollout, completed })}`,
    ...waivesOf(listPassed({ rollout, facts, to: completed })),
    warnings: [
      ...warnOfEnded(
        listJudging({ ...facts, background: undefined, experiment: isKept ? undefined : facts.experiment }),
      ),
      ...kept,
    ],
    expectedEffect: planEffect({
      rollout,
      kind: "step-passed",
      runs: facts.stepRun ? [facts.stepRun.name] : [],
      clearsStepRun: clearsStepRun(status),
    }),
  };
}

/** Passes all remaining steps; background analysis continues, and the new version must become available. */
export function planSkipAll({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  const blocked = refuseSkip({ facts, what: "steps" });
  if (blocked !== undefined) return blocked;
  const left = facts.stepCount - facts.step;
  if (left <= 0) return refuse("no_steps_left", "All steps are completed; nothing is left to skip.");
  const steps = left === 1 ? "the last step" : `the ${left} steps that are left`;
  return {
    patches: [{ subresource: "status", body: { status: { currentStepIndex: facts.stepCount } } }],
    effect: `Skips ${steps} of ${facts.stepCount}: the new version ${facts.newVersion} gets all traffic once it is available.`,
    ...waivesOf(listPassed({ rollout, facts, to: facts.stepCount })),
    warnings: [
      ...warnOfEnded(listJudging({ ...facts, background: undefined })),
      ...(isOpen(facts.background)
        ? [`Run ${facts.background.name} continues until the promotion, which ends it.`]
        : []),
    ],
    expectedEffect: planEffect({ rollout, kind: "steps-skipped" }),
  };
}

/**
 * Skips steps, pauses and analysis at once; running analysis is terminated and ends Successful. Also drops an abort,
 * and is the only way past an Inconclusive pre-promotion run (rollout/canary.go, bluegreen.go, pause.go of 9f8d111).
 */
export function planPromoteFull({ rollout, facts }: PlanInput): Draft | ActionRefusal {
  if (facts.strategy === undefined) return refuse("unknown_state", "Its strategy is neither canary nor blue-green.");
  if (facts.podHash === "") return refuse("not_settled", "The controller has not picked up the new version yet.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is already fully promoted.");
  if (facts.promoteFull) return refuse("promote_full_pending", "Full promotion was already requested.");
  const patch: ActionPatch = { subresource: "status", body: { status: { promoteFull: true } } };
  const left = facts.stepCount - facts.step;
  const skipped = [
    ...(left > 0 ? [left === 1 ? "1 step" : `${left} steps`] : []),
    ...(facts.pauses.length > 0 ? ["all pauses"] : []),
    "all analysis",
  ].join(", ");
  const abort = facts.aborted ? " Drops the abort." : "";
  return {
    // The flag remains until the promotion, regardless of what the controller does between both patches.
    patches: facts.specPaused ? [patch, unpausePatch] : [patch],
    effect: `${endSentence(`Promotes ${facts.newVersion} to all traffic as soon as it is available, skipping ${skipped}`, facts)}${abort}`,
    ...waivesOf(listPassed({ rollout, facts, to: facts.stepCount, withAll: true })),
    warnings: [...(facts.specPaused ? warnOfRevert(rollout) : []), ...warnOfEnded(listJudging(facts))],
    expectedEffect: planEffect({ rollout, kind: "promoted" }),
  };
}

function refuseSkip({ facts, what }: { facts: ActionFacts; what: "step" | "steps" }): ActionRefusal | undefined {
  if (facts.strategy !== "canary") return refuse("no_steps", "A blue-green rollout has no steps: promote it fully.");
  if (facts.stepCount === 0) return refuse("no_steps", "The rollout has no steps.");
  if (facts.aborted) return refuse("aborted", "The rollout is aborted; the controller would ignore it. Retry first.");
  if (facts.promoteFull)
    return refuse("promote_full_pending", "Full promotion was requested; the controller skips all steps.");
  if (facts.fullyPromoted) return refuse("fully_promoted", "The rollout is fully promoted; no step runs.");
  if (facts.specPaused)
    return refuse("paused_in_spec", `Paused manually (spec.paused): unpause it before you skip the ${what}.`);
  // The controller stops every change of replicas while this reason exists (rollout/context.go, haltProgress).
  if (
    facts.pauses.includes("InconclusiveAnalysisRun") ||
    isInconclusive(facts.stepRun) ||
    isInconclusive(facts.background)
  )
    return refuse("inconclusive", "An analysis is Inconclusive and would still hold it: decide on that first.");
  if (what === "steps" && facts.pauses.includes("InconclusiveExperiment"))
    return refuse("inconclusive", "The experiment is Inconclusive: measure again, or skip this step.");
  return undefined;
}

function waivesOf(passed: string[]): { waives?: string } {
  return passed.length === 0 ? {} : { waives: formatList(passed) };
}

type Input = {
  rollout: RolloutObject;
  facts: ActionFacts;
  /** Steps completed after the skip. */
  to: number;
  /** Whether runs that belong to no step are passed too. */
  withAll?: boolean;
};

/** Lists the analyses and experiments that are passed without their verdict, or despite it. */
function listPassed(input: Input): string[] {
  const { rollout, facts, to, withAll = false } = input;
  const [current, ...later] = stepsOf(rollout).slice(facts.step, to);
  const runs = [
    ...(current?.analysis === undefined ? [] : [facts.stepRun]),
    ...(withAll ? [facts.background, facts.prePromotion, facts.postPromotion] : []),
  ];
  const named = runs.filter((run) => run !== undefined).filter(({ status }) => status !== "Successful");
  const experiment = nameExperiment(input);
  const notBegun =
    (current?.analysis !== undefined && facts.stepRun === undefined) ||
    (current?.experiment !== undefined && experiment === undefined);
  const unnamed =
    later.filter((step) => step.analysis !== undefined || step.experiment !== undefined).length + (notBegun ? 1 : 0);
  return [
    ...named.map(nameOverridden),
    ...(experiment === undefined ? [] : [experiment]),
    ...(withAll ? listToCome(input) : []),
    ...(unnamed === 0 ? [] : [unnamed === 1 ? "1 upcoming analysis" : `${unnamed} upcoming analyses`]),
  ];
}

/**
 * Names the experiment. The status no longer names an Inconclusive one: it names the new one that the controller began.
 */
function nameExperiment({ rollout, facts, to }: Input): string | undefined {
  const { step, stepCount, experiment, pauses } = facts;
  const steps = stepsOf(rollout);
  if (steps[step]?.experiment === undefined) return undefined;
  if (pauses.includes("InconclusiveExperiment")) return "the Inconclusive experiment";
  if (experiment === undefined) return undefined;
  const isKept = to === step + 1 && steps[to]?.experiment !== undefined;
  return isKept
    ? `the experiment of ${formatStepPlace({ completed: step, stepCount })}`
    : `the unfinished experiment ${experiment}`;
}

/** Lists analysis that the strategy requires and that has not begun. */
function listToCome({ rollout: { spec }, facts }: Input): string[] {
  const { canary, blueGreen } = spec.strategy;
  const isToCome = (analysis: { templates?: unknown } | undefined, ...runs: (RolloutRunStatus | undefined)[]) =>
    Array.isArray(analysis?.templates) && analysis.templates.length > 0 && runs.every((run) => run === undefined);
  return [
    ...(isToCome(canary?.analysis, facts.background) ? ["the upcoming background analysis"] : []),
    ...(isToCome(blueGreen?.prePromotionAnalysis, facts.prePromotion, facts.postPromotion)
      ? ["the upcoming pre-promotion analysis"]
      : []),
    ...(isToCome(blueGreen?.postPromotionAnalysis, facts.postPromotion)
      ? ["the upcoming post-promotion analysis"]
      : []),
  ];
}
