import { type RolloutObject, type RolloutRunStatus, stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { formatStepPlace } from "#lib/domain/argo/plan/action-text.ts";

type Input = {
  rollout: RolloutObject;
  facts: ActionFacts;
  /** Steps completed after the skip. */
  to: number;
  /** Whether runs that belong to no step are passed too. */
  withAll?: boolean;
};

/** Lists the analyses and experiments that are passed without their verdict, or despite it. */
export function listPassed(input: Input): string[] {
  const { rollout, facts, to, withAll = false } = input;
  const [current, ...later] = stepsOf(rollout).slice(facts.step, to);
  const runs = [
    ...(current?.analysis === undefined ? [] : [facts.stepRun]),
    ...(withAll ? [facts.background, facts.prePromotion, facts.postPromotion] : []),
  ];
  const named = runs.filter((run) => run !== undefined && run.status !== "Successful").map((run) => `run ${run?.name}`);
  const experiment = nameExperiment(input);
  const notBegun =
    (current?.analysis !== undefined && facts.stepRun === undefined) ||
    (current?.experiment !== undefined && experiment === undefined);
  const unnamed =
    later.filter((step) => step.analysis !== undefined || step.experiment !== undefined).length + (notBegun ? 1 : 0);
  return [
    ...named,
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
  return isKept ? `the experiment of ${formatStepPlace({ completed: step, stepCount })}` : `experiment ${experiment}`;
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
