import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";

/** A measurement as it was stored, with its number. `isAltered`: the stored text is not the one that was received. */
export type RecordedMeasurement = {
  readonly seq: number;
  readonly phase: RunPhase;
  readonly message?: string;
  readonly value?: string;
  /** ISO 8601; absent while it is in flight. */
  readonly finishedAt?: string;
  readonly isAltered?: boolean;
};

/**
 * A metric's counters as the controller last wrote them, 0 if absent, and its measurements in the order of their
 * numbers.
 */
export type RecordedMetric = {
  readonly name: string;
  /** Absent if the stored word is not one of `runPhases`. */
  readonly phase?: RunPhase | undefined;
  readonly dryRun?: boolean;
  readonly count?: number;
  readonly successful?: number;
  readonly failed?: number;
  readonly inconclusive?: number;
  readonly error?: number;
  readonly consecutiveError?: number;
  readonly consecutiveSuccess?: number;
  readonly measurements: readonly RecordedMeasurement[];
  /** Measurements that are known to be missing. */
  readonly lost: number;
  /** Measurements that the controller retook; they are not among `measurements`. */
  readonly takenAgain?: number;
  /** Counters and list contradicted each other when they were recorded. */
  readonly isInconsistent: boolean;
};

/** A run that has ended, as input of a replay. It can be sent between threads. */
export type RecordedRun = {
  /** Kind of the run; it names the provider. */
  readonly kind: string;
  /** As `MeasuringProvider.readRules` returned them. */
  readonly rules: unknown;
  readonly phase: RunPhase;
  readonly message: string;
  readonly metrics: readonly RecordedMetric[];
  /** Version of the controller when it made the run; absent if it was not recorded. */
  readonly controllerVersion?: string;
};

export const verdictCheckStates = ["agrees", "contradicts", "ended-early", "undecided"] as const;
type VerdictCheckState = (typeof verdictCheckStates)[number];

/**
 * - `contradiction`: the record does not follow from the rules;
 * - `undecided`: something needed for the replay is not in the record;
 * - `flag`: it follows, but proves little.
 */
export const findingKinds = ["contradiction", "undecided", "flag"] as const;
type FindingKind = (typeof findingKinds)[number];

type FindingRules = {
  contradiction: "measurement" | "counters" | "went-on" | "metric" | "run";
  undecided: "spec" | "secret" | "gap" | "order" | "provider" | "value" | "expression" | "size";
  flag: "no-success" | "nothing-measured";
};
export type FindingRule = FindingRules[FindingKind];

export type Finding = {
  readonly kind: FindingKind;
  readonly rule: FindingRule;
  readonly metric?: string;
  readonly seq?: number;
  /** The result that the replay gives a metric or the run, if that contradicts the recorded one. */
  readonly phase?: RunPhase;
  readonly text: string;
};

export type VerdictCheck = { readonly state: VerdictCheckState; readonly findings: readonly Finding[] };
