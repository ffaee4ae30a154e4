import type { ActTarget } from "#components/actions/act-target.ts";
import { nameVersion } from "#lib/client/describe-images.ts";
import type { ViewChange } from "#lib/contract/problem.ts";
import type { AllowedAction, CurrentRun, Release, ReleaseAct, RolloutDetail } from "#lib/contract/rollout.ts";
import { currentStepNumber } from "#lib/domain/delivery/step-words.ts";
import { wordStep } from "#lib/domain/delivery/word-step.ts";
import { isSame } from "#lib/util/diff-merge.ts";
import { isGatehouseError } from "#packages/client/src/gatehouse-error.ts";

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

/** Describes in a sentence how the rollout moved since a dialog was opened on it, if no one is known to have acted. */
export function describeMove(seen: SeenView, now: RolloutDetail): string {
  const version = nameVersion(now, now.revisionKey);
  if (now.presence !== "live") return "The cluster no longer shows this rollout.";
  if (now.uid !== seen.uid) return "The rollout was deleted and created again.";
  if (seen.revisionKey !== undefined && seen.revisionKey !== now.revisionKey)
    return `Another version is being rolled out: ${version}.`;
  if (now.aborted && seen.aborted !== true) return "The rollout was aborted.";
  if (now.stableRevisionKey === now.revisionKey && now.phase === "Healthy") return `${version} is fully promoted.`;
  if (now.attention?.reason === "inconclusive" && seen.attention?.reason !== "inconclusive")
    return "An analysis ended Inconclusive.";
  const number = currentStepNumber(now);
  if (seen.step !== undefined && seen.step !== null && now.step !== null && now.step !== seen.step && number !== null) {
    if (now.step >= now.stepCount) return "The controller completed the last step.";
    return `The controller moved to step ${number} of ${now.stepCount} (${wordStep(now.steps[now.step]?.text ?? "unknown")}).`;
  }
  if (now.phase === "Degraded" && seen.phase !== "Degraded") return "The rollout is degraded.";
  return "The controller changed its state.";
}

type FindInput = { releases: readonly Pick<Release, "acts">[]; seenAt: string; baseline: number | undefined };

/** An entry written just after the state that it caused is not new. */
const marginMs = 1_000;

/**
 * Finds the newest act of a person or client since a view was seen. That is an entry that did not exist when the dialog
 * was opened (`baseline`), or one later than the view.
 */
export function findActSince({ releases, seenAt, baseline }: FindInput): ReleaseAct | undefined {
  const since = Date.parse(seenAt) + marginMs;
  return releases
    .flatMap(({ acts }) => acts.latest)
    .filter(({ seq, time }) => (baseline !== undefined && seq > baseline) || Date.parse(time) > since)
    .toSorted((one, other) => other.seq - one.seq)[0];
}

/** An action that was refused because its view was stale: what changed, and the view to retry with. */
export type Conflict = {
  detail: string;
  changes: ViewChange[];
  viewDigest: string | undefined;
  uid: string | undefined;
  revisionKey: string | undefined;
  /** The same action in the current state; undefined if the response does not include it. */
  action: AllowedAction | undefined;
};

export function readConflict(error: unknown, actionName: AllowedAction["action"]): Conflict | undefined {
  if (!isGatehouseError(error, "stale_view")) return undefined;
  const current = error.problem?.current as Partial<RolloutDetail> | undefined;
  return {
    detail: error.message,
    changes: error.problem?.changes ?? [],
    viewDigest: current?.viewDigest,
    uid: current?.uid,
    revisionKey: current?.revisionKey,
    action: current?.allowedActions?.find(({ action }) => action === actionName),
  };
}
