import type { ActTarget } from "#components/actions/act-target.ts";
import type { ViewChange } from "#lib/contract/problem.ts";
import type { CurrentRun, RolloutDetail } from "#lib/contract/rollout.ts";
import { isSame } from "#lib/util/diff-merge.ts";

/** The state that a dialog was opened on: a whole page, or just the row of a list. */
export type SeenView = Pick<ActTarget, "uid" | "revisionKey" | "step"> & Partial<Omit<RolloutDetail, "kind">>;

type Change = Omit<ViewChange, "text">;

/** Lists what changed in the decision view between the opening of a dialog and now. */
export function listChanges(seen: SeenView, now: RolloutDetail): Change[] {
  const before = fieldsOf(seen);
  const after = fieldsOf(now);
  return Object.keys(after).flatMap((field) => {
    const [one, other] = [before[field], after[field]];
    return one === undefined || isSame(one, other) ? [] : [{ field, seen: one, now: other }];
  });
}

const runFields: Record<CurrentRun["role"], string> = {
  step: "status.canary.currentStepAnalysisRunStatus",
  background: "status.canary.currentBackgroundAnalysisRunStatus",
  prePromotion: "status.blueGreen.prePromotionAnalysisRunStatus",
  postPromotion: "status.blueGreen.postPromotionAnalysisRunStatus",
};

function fieldsOf(view: SeenView): Record<string, unknown> {
  const runs = Object.entries(runFields).map(([role, field]) => {
    const run = view.currentRuns?.find((one) => one.role === role);
    const shown = run === undefined ? null : { name: run.name, phase: run.phase };
    return [field, view.currentRuns === undefined ? undefined : shown];
  });
  return {
    "metadata.uid": view.uid,
    "status.currentPodHash": view.revisionKey,
    "status.abort": view.aborted,
    "status.currentStepIndex": view.step,
    "status.pauseConditions": view.pauseConditions,
    ...Object.fromEntries(runs),
    "status.canary.currentExperiment": view.currentExperiment,
    "spec.paused": view.paused,
    "status.promoteFull": view.promoteFull,
    "status.stableRS": view.stableRevisionKey,
  };
}
