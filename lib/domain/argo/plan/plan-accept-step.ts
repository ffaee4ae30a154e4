import { type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import { stepsOf } from "#lib/domain/argo/objects/rollout-object.ts";
import { planEffect } from "#lib/domain/argo/plan/action-effect.ts";
import { isInconclusive } from "#lib/domain/argo/plan/action-facts.ts";
import {
  formatContinues,
  formatKubectl,
  formatRest,
  formatStepPlace,
  nameStepAt,
  warnOfPassed,
} from "#lib/domain/argo/plan/action-text.ts";
import {
  clearsStepRun,
  isPauseStep,
  listPassedPauses,
  passStepStatus,
  withTimeOfShell,
} from "#lib/domain/argo/plan/hold-gate.ts";
import { liftFirst } from "#lib/domain/argo/plan/plan-going-on.ts";
import {
  type Draft,
  endSentence,
  nameOverridden,
  type PlanInput,
  refuseUnsettled,
} from "#lib/domain/argo/plan/plan-types.ts";
import { warnOfUnchecked } from "#lib/domain/argo/plan/warn-of-unchecked.ts";

/**
 * Accepts the result of the step's run permanently. A pause that comes next holds, regardless of the background run
 * (`passStepStatus`); pauses that the controller would still pass are named.
 */
export function planAcceptStep({ rollout, facts, now }: PlanInput): Draft | ActionRefusal {
  const { stepRun, background } = facts;
  if (facts.strategy !== "canary" || stepsOf(rollout)[facts.step]?.analysis === undefined || !isInconclusive(stepRun))
    return refuse("not_inconclusive", "The current step is not an Inconclusive analysis.");
  if (!facts.controllerPause) return refuseUnsettled();
  const completed = Math.min(facts.step + 1, facts.stepCount);
  const isLast = completed === facts.stepCount;
  const both = isInconclusive(background);
  const status = passStepStatus({ rollout, completed, now });
  const lifted = liftFirst({ rollout, facts, status });
  const passed = both ? listPassedAfterAccept({ rollout, completed }) : [];
  const unchecked = both ? undefined : warnOfUnchecked({ rollout, completed, version: facts.newVersion });
  return {
    ...lifted,
    effect: both
      ? endSentence(
          describeAcceptedAlone({ rollout, run: stepRun.name, background: background.name, completed }),
          facts,
        )
      : `${endSentence(`Accepts the Inconclusive result of ${stepRun.name}: ${formatContinues({ rollout, completed })}`, facts)}${unchecked?.isWhole === true ? "" : formatRest({ rollout, completed })}`,
    waives:
      isLast && both
        ? `${nameOverridden(stepRun)}, and ${nameOverridden(background)} if the rollout is promoted at once`
        : nameOverridden(stepRun),
    warnings: [
      ...lifted.warnings,
      ...warnOfPassed({ rollout, passed }),
      ...(unchecked === undefined ? [] : [unchecked.text]),
    ],
    passesPauses: passed,
    kubectl: withTimeOfShell(formatKubectl({ facts, patches: lifted.patches }), now),
    expectedEffect: planEffect({
      rollout,
      kind: "step-passed",
      runs: [stepRun.name],
      clearsStepRun: clearsStepRun(status),
    }),
  };
}

/**
 * Lists the passed pauses. A pause that comes next is held; a timed one ends by itself, and the next one after it is
 * passed.
 */
function listPassedAfterAccept({ rollout, completed }: Pick<PlanInput, "rollout"> & { completed: number }): number[] {
  const next = stepsOf(rollout)[completed];
  if (!isPauseStep(next)) return listPassedPauses({ rollout, from: completed, startsFirst: true });
  return next?.pause?.duration === undefined ? [] : listPassedPauses({ rollout, from: completed + 1 });
}

/**
 * Describes the effect. With controllerPause false the controller treats an Inconclusive background run as one that it
 * has not paused for yet (rollout/analysis.go needsNewAnalysisRun of 9f8d111). Past the last step it promotes before
 * that, if it can.
 */
function describeAcceptedAlone({
  rollout,
  run,
  background,
  completed,
}: Pick<PlanInput, "rollout"> & { run: string; background: string; completed: number }): string {
  const next = stepsOf(rollout)[completed];
  const accepts = `Accepts the Inconclusive result of ${run}`;
  if (next === undefined)
    return `${accepts}: the rollout continues to full promotion. If the new version lacks pods, it pauses again for background run ${background}, also Inconclusive`;
  const place = `${formatStepPlace({ completed, stepCount: stepsOf(rollout).length })} (${nameStepAt(rollout, completed)})`;
  if (!isPauseStep(next))
    return `${accepts} only: the rollout moves to ${place} and pauses again at once for background run ${background}, also Inconclusive`;
  return next.pause?.duration === undefined
    ? `${accepts} only: the rollout waits at ${place}. Background run ${background}, also Inconclusive, still needs a decision`
    : `${accepts} only: the rollout waits at ${place}, then stops for background run ${background}, also Inconclusive`;
}
