import type { RolloutRunStatus } from "#lib/domain/argo/objects/rollout-object.ts";
import type { ActionFacts } from "#lib/domain/argo/plan/action-facts.ts";
import { isCompleted } from "#lib/domain/delivery/run-phase.ts";
import { formatList } from "#lib/util/words.ts";

/** Lists the runs and the experiment that judge now, as the status names them: "run a", "experiment b". */
export function listJudging({ stepRun, background, prePromotion, postPromotion, experiment }: ActionFacts): string[] {
  const runs = [stepRun, background, prePromotion, postPromotion].filter(isOpen).map(({ name }) => `run ${name}`);
  return experiment === undefined ? runs : [...runs, `experiment ${experiment}`];
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
