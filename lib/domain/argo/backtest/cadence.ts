import { errorRetryIntervalMs } from "#lib/domain/argo/analysis/schedule.ts";
import type { AnalysisPhase, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { ReplayedMeasurement } from "#lib/domain/delivery/backtest.ts";
import { parseDurationMs } from "#lib/util/duration.ts";

/** The last measurement that was taken; `isNewest` if no recorded one followed it yet. */
export type Taken = {
  readonly proposed: AnalysisPhase;
  readonly recorded: AnalysisPhase;
  readonly finishedAt: number | undefined;
  readonly isNewest: boolean;
};

/**
 * - `taken`: it would have been measured then;
 * - `skipped`: it was not due yet;
 * - `missed`: one would have been due earlier, when none was taken;
 * - `untimed`: the record lacks the times that would tell.
 */
export type Place = "taken" | "skipped" | "missed" | "untimed";

/** When a metric is measured; `intervalMs` is undefined if it has none. */
export type Schedule = { readonly delayMs: number; readonly intervalMs: number | undefined };

export function readSchedule({ initialDelay = "", interval = "" }: MetricSpec): Schedule {
  return {
    delayMs: initialDelay === "" ? 0 : (parseDurationMs(initialDelay) ?? 0),
    intervalMs: interval === "" ? undefined : parseDurationMs(interval),
  };
}

export type Cadence = {
  readonly proposed: Schedule;
  readonly recorded: Schedule;
  /** Of the run. */
  readonly startedAt: number | undefined;
};

/**
 * Places the next recorded measurement in the schedule of the proposed rules. If both schedules are the same, it needs
 * no times. If the proposed one is slower, the first recorded measurement that is due stands for the one that would
 * have been taken. Mirrors argo-rollouts analysis/analysis.go `generateMetricTasks`.
 */
export function placeMeasurement(cadence: Cadence, last: Taken | undefined, next: ReplayedMeasurement): Place {
  if (last === undefined) return placeFirst(cadence, next);
  const wait = waitAfter(cadence.proposed, last.proposed);
  const recordedWait = waitAfter(cadence.recorded, last.recorded);
  if (last.isNewest) {
    if (wait === recordedWait) return "taken";
    if (wait !== undefined && recordedWait !== undefined && wait < recordedWait) return "missed";
  }
  if (wait === undefined) return "untimed";
  return placeBy(last.finishedAt, wait, next);
}

function placeFirst({ proposed, recorded, startedAt }: Cadence, next: ReplayedMeasurement): Place {
  if (proposed.delayMs === recorded.delayMs) return "taken";
  if (proposed.delayMs < recorded.delayMs) return "missed";
  return placeBy(startedAt, proposed.delayMs, next);
}

/**
 * Returns whether the proposed rules would have measured after `last` and before the run ended, although the record has
 * no measurement then. True if the record lacks the times that would tell.
 */
export function wouldMeasureBefore(endedAt: number | undefined, cadence: Cadence, last: Taken | undefined): boolean {
  const { proposed, recorded } = cadence;
  const wait = last === undefined ? proposed.delayMs : waitAfter(proposed, last.proposed);
  const recordedWait = last === undefined ? recorded.delayMs : waitAfter(recorded, last.recorded);
  if (wait === recordedWait && last?.isNewest !== false) return false;
  const from = last === undefined ? cadence.startedAt : last.finishedAt;
  return wait === undefined || from === undefined || endedAt === undefined || from + wait <= endedAt;
}

function placeBy(from: number | undefined, wait: number, next: ReplayedMeasurement): Place {
  if (from === undefined || next.startedAt === undefined) return "untimed";
  // Recorded times are whole seconds: a measurement in the second in which it is due counts as due.
  return next.startedAt < Math.floor((from + wait) / 1000) * 1000 ? "skipped" : "taken";
}

function waitAfter({ intervalMs }: Schedule, phase: AnalysisPhase): number | undefined {
  return phase === "Error" ? errorRetryIntervalMs : intervalMs;
}
