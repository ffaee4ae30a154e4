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

/** Orders metrics by verdict, the worst first. A dry run does not count, so it comes after all that do. */
export function orderMetrics<Metric extends Pick<RunMetric, "phase" | "dryRun">>(metrics: readonly Metric[]): Metric[] {
  return metrics.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function rankOf({ phase, dryRun }: Pick<RunMetric, "phase" | "dryRun">): number {
  return worstFirst.indexOf(phase) + (dryRun ? worstFirst.length : 0);
}
