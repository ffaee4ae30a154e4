import { assessMetric } from "#lib/domain/argo/analysis/assess-metric.ts";
import { applyMeasurement } from "#lib/domain/argo/analysis/counters.ts";
import { isCompleted } from "#lib/domain/argo/analysis/phase.ts";
import type { MetricResult, MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import type { Undecided } from "#lib/domain/delivery/backtest.ts";
import type { EndedPhase } from "#lib/domain/delivery/run-phase.ts";

/**
 * The course of a metric under some rules, measurement by measurement. An unknown measurement splits it into branches,
 * one for each phase that the measurement may have had, so that in the end it is known whether the unknown mattered.
 * Plain data: it can be sent between threads.
 */
export type Course = {
  branches: Branch[];
  /** The first reason why the course is unknown. */
  cause: Undecided | undefined;
  /** Its continuation cannot be derived from the record; branches that had ended before still count. */
  isLost: boolean;
};

type Branch = {
  readonly counters: MetricResult;
  readonly end?: CourseEnd;
  /** How many of the measurements that are missing from the record had each phase, less those of this branch. */
  readonly left?: Tally;
};
export type Tally = { readonly [Phase in EndedPhase]: number };
export type CourseEnd = { readonly phase: EndedPhase; readonly seq?: number; readonly message?: string };

/** How a course ended: `open` if the rules would have measured on. */
export type CourseOutcome =
  | { readonly state: "ended"; readonly end: CourseEnd }
  | { readonly state: "open" }
  | { readonly state: "unknown"; readonly why: Undecided };

/** More branches are given up: the time to follow them grows with their number. */
const maxBranches = 1000;

/** `missing`: the phases of the measurements that are missing from the record; undefined if they are not known. */
export function startCourse(name: string, missing: Tally | undefined): Course {
  const branch: Branch = { counters: { name }, ...(missing === undefined ? {} : { left: missing }) };
  return { branches: [branch], cause: undefined, isLost: false };
}

/** Returns whether further measurements cannot change the outcome. */
export function isCourseSettled({ branches, isLost }: Course): boolean {
  if (isLost) return true;
  if (branches.length === 1) return branches[0]?.end !== undefined;
  const ends = new Set(branches.map(({ end }) => end?.phase));
  return !ends.has(undefined) || ends.size > 2;
}

/** Adds a measurement whose phase is known. */
export function takeKnown(
  course: Course,
  metric: MetricSpec,
  { phase, seq }: { phase: EndedPhase; seq: number },
): void {
  const [only] = course.branches;
  if (course.branches.length === 1 && only !== undefined) {
    if (only.end === undefined) course.branches[0] = advance(only, metric, { phase, seq });
    return;
  }
  course.branches = merge(course.branches.map((branch) => advance(branch, metric, { phase, seq })));
}

/** Adds a measurement that may have had any of these phases. */
export function takeUnknown(
  course: Course,
  metric: MetricSpec,
  { phases, seq, why }: { phases: readonly EndedPhase[]; seq: number; why: Undecided },
): void {
  course.cause ??= why;
  course.branches = merge(
    course.branches.flatMap((branch) => {
      if (branch.end !== undefined) return [branch];
      const { left } = branch;
      const possible = left === undefined ? phases : phases.filter((phase) => left[phase] > 0);
      // Counters that leave no phase contradict the list and are ignored.
      return (possible.length > 0 ? possible : phases).map((phase) => {
        return advance(useUp(branch, phase), metric, { phase, seq });
      });
    }),
  );
  if (course.branches.length > maxBranches) loseCourse(course, why);
}

export function loseCourse(course: Course, why: Undecided): void {
  course.isLost = true;
  course.cause ??= why;
}

function useUp(branch: Branch, phase: EndedPhase): Branch {
  const { left } = branch;
  return left === undefined ? branch : { ...branch, left: { ...left, [phase]: left[phase] - 1 } };
}

function advance(branch: Branch, metric: MetricSpec, { phase, seq }: { phase: EndedPhase; seq: number }): Branch {
  if (branch.end !== undefined) return branch;
  // A measurement without an end is replaced by the next one: the list never grows.
  const counters = applyMeasurement(branch.counters, { phase });
  const { left } = branch;
  const assessed = assessMetric({ metric, result: counters, terminating: false });
  if (!isCompleted(assessed.phase)) return left === undefined ? { counters } : { counters, left };
  const message = assessed.message === undefined ? {} : { message: assessed.message };
  return { counters, end: { phase: assessed.phase, seq, ...message } };
}

/** Keeps one of the branches that cannot be told apart later. */
function merge(branches: readonly Branch[]): Branch[] {
  const distinct = new Map<string, Branch>();
  for (const branch of branches) {
    const key = keyOf(branch);
    const known = distinct.get(key);
    if (known === undefined) distinct.set(key, branch);
    else if (known.end?.seq !== branch.end?.seq) distinct.set(key, withoutSeq(known));
  }
  return [...distinct.values()];
}

function keyOf({ counters, end }: Branch): string {
  if (end !== undefined) return end.phase;
  // `left` follows from the counters.
  const { count, failed, inconclusive, error, consecutiveError, consecutiveSuccess } = counters;
  return `${count} ${failed} ${inconclusive} ${error} ${consecutiveError} ${consecutiveSuccess}`;
}

/** A branch that stands for several ends, which only share their phase. */
function withoutSeq(branch: Branch): Branch {
  return branch.end === undefined ? branch : { ...branch, end: { phase: branch.end.phase } };
}

/** Returns the outcome once all measurements are in. */
export function finishCourse({ branches, cause, isLost }: Course): CourseOutcome {
  const phases = new Set(branches.map(({ end }) => end?.phase));
  const isUnknown = phases.size > 1 || (phases.has(undefined) && isLost);
  if (isUnknown && cause !== undefined) return { state: "unknown", why: cause };
  const end = branches[0]?.end;
  return end === undefined ? { state: "open" } : { state: "ended", end };
}
