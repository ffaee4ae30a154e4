import type { RunMetric } from "#lib/contract/analysis-run.ts";

const worstFirst: readonly RunMetric["phase"][] = [
  "Failed",
  "Error",
  "Inconclusive",
  "Unknown",
  "Running",
  "Pending",
  "Successful",
];

export type Judged = Pick<RunMetric, "phase"> & Partial<Pick<RunMetric, "replayedPhase">>;

/** Returns the phase computed from the measurements, or the recorded one if they do not contradict it. */
export function measuredPhaseOf({ phase, replayedPhase }: Judged): RunMetric["phase"] {
  return replayedPhase ?? phase;
}

/** Orders metrics by verdict, the worst first. A dry run does not count, so it comes after all that do. */
export function orderMetrics<Metric extends Judged & Pick<RunMetric, "dryRun">>(metrics: readonly Metric[]): Metric[] {
  return metrics.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ dryRun, ...metric }: Judged & Pick<RunMetric, "dryRun">): number {
  return worstFirst.indexOf(measuredPhaseOf(metric)) + (dryRun ? worstFirst.length : 0);
}

type Explained = Pick<RunMetric, "explanation"> & Partial<Pick<RunMetric, "replayedPhase">>;

/**
 * Returns the metric's explanation; undefined if it is empty or part of the run's verdict, and for a metric whose result
 * its measurements contradict: the check of the verdict has its counts.
 */
export function findAddedExplanation({ explanation, replayedPhase }: Explained, verdict: string): string | undefined {
  const words = explanation.trim().replace(/\.$/, "");
  if (words === "" || (replayedPhase ?? null) !== null) return undefined;
  return verdict.toLowerCase().includes(words.toLowerCase()) ? undefined : explanation;
}
