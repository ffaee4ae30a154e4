import type { ShownState } from "#components/ui/classify-state.ts";
import { classifyPhaseText } from "#components/ui/classify-state.ts";
import type { BacktestAnswer, BacktestCounts, BacktestRun, BacktestVerdict } from "#lib/contract/backtest.ts";

/** `main`: the sentence that answers the question. */
export type Headline = { main: string; details: string[] };

/** Describes what the proposal would have changed. Failed and Error abort a release, Inconclusive asks for a person. */
export function describeBacktest({ totals, truncated }: BacktestAnswer): Headline {
  const { runs, recorded, proposed, dryRuns, changed } = totals;
  const main = `Would have aborted ${abortedOf(proposed)} of ${countRuns(runs)}; recorded: ${abortedOf(recorded)} of ${runs}.`;
  const asked = proposed.Inconclusive;
  const details = [
    changed === 0 ? "No decided verdict changes" : `${countRuns(changed)} would have another verdict`,
    (asked > 0 || recorded.Inconclusive > 0) &&
      `${asked} would have asked for a person (recorded: ${recorded.Inconclusive})`,
    proposed.undecided > 0 && `${proposed.undecided} undecided`,
    dryRuns > 0 && `${countRuns(dryRuns)} measured it as a dry run, which decides nothing`,
    truncated && `only the newest ${runs} runs are replayed`,
  ];
  return { main, details: details.filter((detail) => detail !== false) };
}

function abortedOf({ Failed, Error: failed }: BacktestCounts): number {
  return Failed + failed;
}

function countRuns(count: number): string {
  return count === 1 ? "1 run" : `${count} runs`;
}

export function classifyVerdict(phase: BacktestVerdict["phase"]): ShownState {
  return phase === "undecided" ? { state: "unknown", word: "Undecided" } : classifyPhaseText(phase);
}

export function isChanged({ recorded, proposed }: BacktestRun): boolean {
  return proposed.run.phase !== "undecided" && proposed.run.phase !== recorded.run;
}

/** Explains the run's verdict under the proposal; empty if it needs no words. */
export function explainVerdict({ proposed: { run, metric }, recorded, dryRun }: BacktestRun): string {
  if (run.phase === "undecided") return run.text ?? "";
  if (dryRun) return "A dry run decides nothing.";
  if (metric.phase !== run.phase && metric.phase !== "undecided")
    return `The metric ends ${metric.phase}; other metrics decide.`;
  if (metric.endedByRun === true) return "Still measuring when the run ended.";
  if (metric.text !== undefined) return `${metric.text}${metric.seq === undefined ? "" : ` at no. ${metric.seq}`}`;
  return run.phase === recorded.run ? "" : "No limit would have been broken.";
}

/** Describes the first difference between the record and the proposal. */
export function describeDifference(difference: BacktestRun["firstDifference"]): string {
  if (difference === null) return "";
  const { recorded, proposed, endsRecorded, endsProposed } = difference;
  if (proposed === null)
    return endsRecorded ? `${recorded}; the proposal ends earlier` : `${recorded}; would not be taken`;
  const phases =
    proposed === recorded ? recorded : `${recorded}, would be ${proposed === "unknown" ? "undecided" : proposed}`;
  if (endsProposed && !endsRecorded) return `${phases}; ends the metric`;
  return endsRecorded && !endsProposed ? `${phases}; measuring would continue` : phases;
}
