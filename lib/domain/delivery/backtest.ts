import type { EndedPhase } from "#lib/domain/delivery/run-phase.ts";
import type { RecordedMeasurement, RecordedMetric } from "#lib/domain/delivery/verdict-check.ts";

/** The rules of a metric that a back-test can change. */
export const proposableFields = [
  "successCondition",
  "failureCondition",
  "failureLimit",
  "inconclusiveLimit",
  "consecutiveErrorLimit",
  "consecutiveSuccessLimit",
  "count",
  "interval",
  "initialDelay",
] as const;
export type ProposableField = (typeof proposableFields)[number];

/** Changes of a metric's rules. An absent field stays as recorded with each run; null removes it. */
export type Proposal = { readonly [Field in ProposableField]?: string | number | null };

/**
 * Why the verdict does not follow from the record:
 * - `record-ends`: measuring would have continued after the record ends;
 * - `schedule`: a measurement would have been taken at a time at which none was;
 * - `gap`, `value`: a measurement, or its value, is not in the record, and it could matter;
 * - `order`: the controller's counters and its list contradict each other;
 * - `expression`: a condition cannot be evaluated on a recorded value;
 * - `secret`: a rule contains a secret, which is not stored;
 * - `spec`: the rules of the run cannot be read, or are invalid with the proposal;
 * - `others`: other metrics of the run would have continued;
 * - `same-time`: another metric ended the run about when this one would have.
 */
export const undecidedCodes = [
  "record-ends",
  "schedule",
  "gap",
  "value",
  "order",
  "expression",
  "secret",
  "spec",
  "others",
  "same-time",
] as const;
export type UndecidedCode = (typeof undecidedCodes)[number];

/** `text` is a sentence; `seq` is the measurement that it is about. */
export type Undecided = { readonly code: UndecidedCode; readonly text: string; readonly seq?: number };

/**
 * How a metric ends. `seq` is the measurement that ends it: absent if the run ended it, or if it could be one of
 * several. `message` is the controller's text for a broken limit.
 */
export type MetricVerdict =
  | { readonly phase: EndedPhase; readonly seq?: number; readonly message?: string; readonly isEndedByRun: boolean }
  | { readonly undecided: Undecided };

export type RunVerdict = { readonly phase: EndedPhase } | { readonly undecided: Undecided };

/** The verdicts under one set of rules: on the metric, and on the run that it belongs to. */
export type Verdicts = { readonly metric: MetricVerdict; readonly run: RunVerdict };

/**
 * The first measurement that differs from the record: by its phase, because it ends the metric only under one of the
 * two, or because it would not have been taken (`proposed` is null). `proposed` is `unknown` if its phase is.
 */
export type FirstDifference = {
  readonly seq: number;
  readonly value: string | null;
  /** Epoch milliseconds. */
  readonly finishedAt: number | null;
  readonly recorded: string;
  readonly proposed: string | null;
  readonly endsRecorded: boolean;
  readonly endsProposed: boolean;
};

export type RunBacktest = {
  readonly isDryRun: boolean;
  readonly replayed: Verdicts;
  readonly proposed: Verdicts;
  readonly firstDifference: FirstDifference | null;
  /** How many recorded measurements were replayed. */
  readonly measurements: number;
};

/** A finished measurement. Times are epoch milliseconds, `undefined` if they were not recorded. */
export type ReplayedMeasurement = Omit<RecordedMeasurement, "finishedAt" | "phase"> & {
  readonly phase: EndedPhase;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
};

type CountedMetric = Omit<RecordedMetric, "measurements" | "lost"> & {
  /**
   * Number of its finished measurements that are stored, by phase. Given if some are missing: their phases then follow
   * from the counters.
   */
  readonly stored?: { readonly [Phase in EndedPhase]: number };
};

/** A run that has ended, without its measurements. It can be sent between threads. */
export type RunToReplay = {
  readonly phase: EndedPhase;
  /** It was terminated before its rules ended it. */
  readonly isTerminated: boolean;
  /** Epoch milliseconds, like `endedAt`. */
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  readonly metrics: readonly CountedMetric[];
};

/** A replay under way. Its state is plain data, so that a long run can be replayed in parts by several threads. */
export type RunReplay = {
  /** Takes the measurements in the order of their numbers; one whose number was seen before is ignored. */
  add(measurement: ReplayedMeasurement): void;
  /** Further measurements cannot change the result. */
  isSettled(): boolean;
  /** The state from which the replay can be resumed. */
  readonly state: unknown;
  finish(): RunBacktest;
};

export type FaultyField = {
  readonly field: ProposableField;
  readonly text: string;
  /** Of the first faulty character of a condition; both count from 1. */
  readonly position?: { readonly line: number; readonly column: number };
};

/**
 * Replays runs under changed rules. Rules and proposals are untrusted input: none of these functions is called on a
 * main thread.
 */
export type BacktestingProvider = {
  /** Lists the faults of a proposal that do not depend on the run. */
  findFaults(proposal: Proposal): FaultyField[];
  /**
   * Prepares the replay of runs that have these rules, as `MeasuringProvider.readRules` returned them. The function
   * starts the replay of a run, or resumes it from a state.
   */
  prepareReplay(input: {
    rules: unknown;
    metric: string;
    proposal: Proposal;
    /** Version of the controller that would evaluate the proposal; absent if it is not known. */
    controllerVersion?: string | undefined;
  }): (run: RunToReplay, state?: unknown) => RunReplay;
};
