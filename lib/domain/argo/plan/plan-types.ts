import type { ActionParams } from "#lib/domain/acting/action-params.ts";
import { type ActionPatch, type ActionPlan, type ActionRefusal, refuse } from "#lib/domain/acting/plan.ts";
import type { RolloutObject, RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ExpectedEffect, PatchTarget } from "#lib/domain/argo/plan/action-effect.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import type { LiveObjects } from "#lib/domain/argo/plan/plan-revisions.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";
import { formatList } from "#lib/util/words.ts";

export type ArgoPlan = ActionPlan<ExpectedEffect, PatchTarget>;

export type Draft = Pick<ArgoPlan, "patches" | "effect" | "waives" | "target" | "passesPauses" | "expectedEffect"> &
  Partial<Pick<ArgoPlan, "shown" | "warnings" | "kubectl" | "label">>;

/** `now` is used only if the patch has a time (restart); `live` only for changes of the pod template. */
export type PlanInput = {
  rollout: RolloutObject;
  facts: ActionFacts;
  now: Date;
  params: ActionParams;
  live: LiveObjects | undefined;
};
export type Planner = (input: PlanInput) => Draft | ActionRefusal;

/** Lifts `spec.paused`. */
export const unpausePatch: ActionPatch = { subresource: "", body: { spec: { paused: false } } };

/**
 * Describes what remains if only the first of two patches was applied. A gate must not be lifted by a command that was
 * made for the earlier state.
 */
export function describeRest({ subresource, body }: Pick<ActionPatch, "subresource"> & { body: unknown }): string {
  return subresource === "status"
    ? "spec.paused is cleared, but the other pauses remain: look again, then act again."
    : `Still to apply: ${JSON.stringify(body)}.`;
}

export function endSentence(text: string, facts: ActionFacts): string {
  return facts.specPaused ? `${text}. Also clears the pause in spec.paused.` : `${text}.`;
}

export function refuseUnsettled(): ActionRefusal {
  return refuse(
    "not_settled",
    "The controller has not recorded its pause for the Inconclusive result yet. Look again in a moment.",
  );
}

/** Lists the runs and the experiment that judge now, as the status names them: "run a", "experiment b". */
export function listJudging({ stepRun, background, prePromotion, postPromotion, experiment }: ActionFacts): string[] {
  const runs = [stepRun, background, prePromotion, postPromotion].filter(isOpen).map(({ name }) => `run ${name}`);
  return experiment === undefined ? runs : [...runs, `experiment ${experiment}`];
}

/** Names what an action overrides: a result, or a run that has none yet. */
export function nameOverridden({ name, status }: RolloutRunStatus): string {
  return isCompleted(status) ? `the ${status} result of run ${name}` : `the unfinished run ${name}`;
}

export function isOpen(run: RolloutRunStatus | undefined): run is RolloutRunStatus {
  return run !== undefined && !isCompleted(run.status);
}

/**
 * Warns of what the controller ends with the action. It sets `spec.terminate`, and metrics that broke no limit so far
 * then count as successful (rollout/analysis.go cancelAnalysisRuns, analysis/analysis.go assessMetricStatus of
 * 9f8d111).
 */
export function warnOfEnded(named: readonly string[]): string[] {
  if (named.length === 0) return [];
  return [`Ends ${formatList(named)} early: a terminated run usually shows Successful, which is not a verdict.`];
}
