import type { AnalysisPhase, AnalysisRunSpec, Measurement, MetricResult } from "./types.ts";

/** A measurement as it was stored, with its number. `isAltered`: the stored text is not the one that was received. */
export type RecordedMeasurement = Measurement & { readonly seq: number; readonly isAltered?: boolean };

/** A metric's counters as the controller last wrote them, and its measurements in the order of their numbers. */
export type RecordedMetric = Omit<MetricResult, "measurements"> & {
  readonly measurements: readonly RecordedMeasurement[];
  /** Measurements that are known to be missing. */
  readonly lost: number;
  /** Measurements that the controller took again; they are not among `measurements`. */
  readonly takenAgain?: number;
  /** Counters and list contradicted each other when they were recorded. */
  readonly isInconsistent: boolean;
};

/** A run that has ended. `spec` as stored: secrets redacted, arguments not yet filled in. */
export type RecordedRun = {
  readonly spec: AnalysisRunSpec;
  readonly phase: AnalysisPhase;
  readonly message: string;
  readonly metrics: readonly RecordedMetric[];
};

export const verdictCheckStates = ["agrees", "contradicts", "ended-early", "undecided"] as const;
export type VerdictCheckState = (typeof verdictCheckStates)[number];

/**
 * - `contradiction`: the record does not follow from the rules;
 * - `undecided`: something needed for the replay is not in the record;
 * - `flag`: it follows, yet proves little.
 */
export const findingKinds = ["contradiction", "undecided", "flag"] as const;
export type FindingKind = (typeof findingKinds)[number];

export const findingRules = {
  contradiction: ["measurement", "counters", "went-on", "metric", "run"],
  undecided: ["spec", "secret", "gap", "order", "provider", "value", "expression", "size"],
  flag: ["no-success", "nothing-measured"],
} as const satisfies Record<FindingKind, readonly string[]>;
export type FindingRule = (typeof findingRules)[FindingKind][number];

export type Finding = {
  readonly kind: FindingKind;
  readonly rule: FindingRule;
  readonly metric?: string;
  readonly seq?: number;
  readonly text: string;
};

export type VerdictCheck = { readonly state: VerdictCheckState; readonly findings: readonly Finding[] };
