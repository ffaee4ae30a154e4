import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { RolloutDetail } from "#lib/contract/rollout.ts";

/** The list of experiments has the rest. */
const mostShown = 3;

const ranks: Partial<Record<ExperimentSummary["phase"], number>> = {
  Inconclusive: 0,
  Failed: 1,
  Error: 1,
  Successful: 3,
};

/**
 * Selects the experiments that matter now: those of this revision while the current step is an experiment, those that
 * still run, and, after an abort, those that did not succeed. One that needs a person comes first, since a controller
 * may start another at the same time.
 */
export function selectExperiments(
  rollout: Pick<RolloutDetail, "steps" | "revisionKey" | "aborted">,
  experiments: readonly ExperimentSummary[],
): ExperimentSummary[] {
  const isAtExperiment = rollout.steps.some(({ kind, state }) => kind === "experiment" && state === "current");
  return experiments
    .filter(({ podHash, phase, completedAt, presence }) => {
      if (podHash !== rollout.revisionKey) return false;
      if (isAtExperiment) return true;
      if (rollout.aborted) return phase !== "Successful";
      return presence === "live" && completedAt === null && (phase === "Running" || phase === "Pending");
    })
    .toSorted(
      (one, other) =>
        rankOf(one) - rankOf(other) || (one.createdAt < other.createdAt ? 1 : one.createdAt > other.createdAt ? -1 : 0),
    )
    .slice(0, mostShown);
}

function rankOf({ phase }: ExperimentSummary): number {
  return ranks[phase] ?? 2;
}
