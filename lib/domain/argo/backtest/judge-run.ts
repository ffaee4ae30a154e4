import { assessMetric } from "#lib/domain/argo/analysis/assess-metric.ts";
import { isCompleted, worstPhase } from "#lib/domain/argo/analysis/phase.ts";
import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { MetricVerdict, RunToReplay, RunVerdict, UndecidedCode, Verdicts } from "#lib/domain/delivery/backtest.ts";
import type { EndedPhase } from "#lib/domain/delivery/run-phase.ts";
import type { CourseEnd, CourseOutcome } from "./course.ts";

type RecordedMetric = RunToReplay["metrics"][number];

/** The record of the metric's run, besides the metric's own measurements. */
export type RunContext = {
  readonly phase: EndedPhase;
  readonly isTerminated: boolean;
  /** The metric is a dry run: it decides nothing. */
  readonly isDryRun: boolean;
  readonly own: RecordedMetric | undefined;
  /** Number of its last measurement, whether the record still has it or only counts it; 0 if it has none. */
  readonly lastSeq: number;
  /** The other metrics that are not dry runs, with arguments filled in. */
  readonly others: readonly { readonly metric: MetricSpec; readonly recorded: RecordedMetric | undefined }[];
};

/**
 * Judges a metric's course and its consequence for the run. `asRecorded` is the course under the recorded rules: it
 * shows whether the metric was still measuring when the run ended. A metric that ends badly ends all others, which then
 * count as Successful unless they have ended; so the record of the others suffices until this metric ends.
 */
export function judgeOutcome(outcome: CourseOutcome, asRecorded: CourseOutcome, run: RunContext): Verdicts {
  const metric = judgeMetric(outcome, asRecorded, run);
  return { metric, run: run.isDryRun ? { phase: run.phase } : judgeRun(outcome, asRecorded, run) };
}

function judgeMetric(outcome: CourseOutcome, asRecorded: CourseOutcome, run: RunContext): MetricVerdict {
  if (outcome.state === "unknown") return { undecided: outcome.why };
  if (outcome.state === "ended") return { ...outcome.end, isEndedByRun: false };
  return wasEndedByRun(asRecorded, run) ? { phase: "Successful", isEndedByRun: true } : recordEnds;
}

const recordEnds = undecided("record-ends", "Would still be measuring when the record ends.");

function judgeRun(outcome: CourseOutcome, asRecorded: CourseOutcome, run: RunContext): RunVerdict {
  if (outcome.state === "unknown") return { undecided: outcome.why };
  if (outcome.state === "open") return wasEndedByRun(asRecorded, run) ? endedByOthers(run) : recordEnds;
  const { end } = outcome;
  if (asRecorded.state === "ended" && isSameEnd(end, asRecorded.end) && end.phase === run.own?.phase) {
    return { phase: run.phase };
  }
  return isBad(end.phase) ? judgeBadEnd(end, run) : judgeGoodEnd(run);
}

function isSameEnd(one: CourseEnd, other: CourseEnd): boolean {
  return one.phase === other.phase && one.seq === other.seq;
}

/** Returns whether something other than this metric ended the run, while the metric was still measuring. */
function wasEndedByRun(asRecorded: CourseOutcome, run: RunContext): boolean {
  const hasCause = run.isTerminated || badOthers(run).length > 0;
  if (asRecorded.state === "open") return hasCause;
  // Metrics that end badly in the same reconcile end the run together. A dry run never ends it.
  if (run.isDryRun) return false;
  const isLast = asRecorded.state === "ended" && asRecorded.end.seq === run.lastSeq && isBad(asRecorded.end.phase);
  return isLast && badOthers(run).length > 0;
}

function endedByOthers(run: RunContext): RunVerdict {
  return { phase: badOthers(run).reduce<EndedPhase>((worst, phase) => worseOf(worst, phase), "Successful") };
}

/**
 * While the metric was measured again, no other one had ended badly. At its last measurement one may have: in the same
 * reconcile, so that the worse of both counts, or later, so that it never came to that.
 */
function judgeBadEnd({ phase, seq }: CourseEnd, run: RunContext): RunVerdict {
  const others = badOthers(run);
  if (others.length === 0 || (seq !== undefined && seq < run.lastSeq)) return { phase };
  const worst = others.reduce(worseOf, phase);
  const endedTogether = seq !== undefined && run.own?.phase !== undefined && isBad(run.own.phase);
  if (worst === phase || endedTogether) return { phase: worst };
  return undecided("same-time", "Another metric ended the run at about the same time, with another phase.");
}

function judgeGoodEnd(run: RunContext): RunVerdict {
  const { own, others } = run;
  if (own?.phase === undefined || !isBad(own.phase)) return { phase: run.phase };
  if (badOthers(run).length > 0) return endedByOthers(run);
  if (others.every(hasEndedByItself)) return { phase: "Successful" };
  return undecided("others", "Other metrics were still measuring when this one ended the run.");
}

/** Returns whether the metric's own rules had ended it, by its counters, which outlive the list. */
function hasEndedByItself({ metric, recorded }: RunContext["others"][number]): boolean {
  if (recorded === undefined || (recorded.count ?? 0) + (recorded.error ?? 0) === 0) return false;
  const { phase, ...counters } = recorded;
  const result = { ...counters, name: metric.name, measurements: [{ phase: "Successful" as const }] };
  return isCompleted(assessMetric({ metric, result, terminating: false }).phase);
}

function badOthers({ others }: RunContext): EndedPhase[] {
  return others.flatMap(({ recorded }) => {
    const phase = recorded?.phase;
    return phase !== undefined && isCompleted(phase) && isBad(phase) ? [phase] : [];
  });
}

function isBad(phase: string): boolean {
  return phase === "Failed" || phase === "Error" || phase === "Inconclusive";
}

function worseOf(one: EndedPhase, other: EndedPhase): EndedPhase {
  return worstPhase(one, other) === one ? one : other;
}

function undecided(code: UndecidedCode, text: string) {
  return { undecided: { code, text } };
}
