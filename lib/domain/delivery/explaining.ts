import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { RecordedMetric } from "#lib/domain/delivery/verdict-check.ts";

/**
 * Explains a stored run. Its rules are untrusted input: the functions that evaluate them, the first two, are not called
 * on a main thread. The others only read.
 */
export type ExplainingProvider = {
  describeRun(run: StoredRun): DescribedRun;
  /** Explains each measurement's phase, in the same order; undefined if it does not follow from the rules. */
  explainMeasurements(stored: StoredMeasurements): readonly (string | undefined)[];
  /** Reads the conditions of each metric from stored rules, with their arguments filled in. */
  readConditions(rules: unknown): ReadonlyMap<string, Conditions>;
  /** Finds the limits that conditions set. */
  drawConditions(conditions: Conditions): Thresholds;
  /** Reads the rules of a run for display, with its arguments filled in. Leaves out parts that it cannot read. */
  readSpec(rules: unknown): RunRules;
  /** Reads the rules of a template for display, as written. */
  readTemplate(rules: unknown): RunRules;
  /** The limits of a metric that sets none. */
  defaultLimits: DefaultLimits;
};

export type RunRules = {
  readonly metrics: ReadonlyMap<string, MetricRules>;
  /** `value` is null if it is secret or not set. */
  readonly args: { name: string; value: string | null; secret: boolean }[];
};

/** The settings in a metric's rules, as texts; null if they are not set. */
export type MetricRules = {
  readonly name: string;
  /** The source of its values, such as `prometheus`. */
  readonly provider: string | null;
  readonly count: string | null;
  readonly interval: string | null;
  readonly initialDelay: string | null;
  readonly failureLimit: string | null;
  readonly inconclusiveLimit: string | null;
  readonly consecutiveErrorLimit: string | null;
  readonly consecutiveSuccessLimit: string | null;
  readonly successCondition: string | null;
  readonly failureCondition: string | null;
  /** The unit of its values, if the rules themselves settle it. */
  readonly unit: string | null;
};

export type DefaultLimits = Readonly<
  Record<"failure" | "inconclusive" | "consecutiveError" | "consecutiveSuccess", string>
>;

export type Conditions = {
  readonly successCondition?: string | undefined;
  readonly failureCondition?: string | undefined;
};

export type StoredRun = {
  /** As stored: redacted. */
  readonly rules: unknown;
  readonly metrics: readonly CountedMetric[];
  /** Undefined if the stored word is not one of `runPhases`. */
  readonly phase: RunPhase | undefined;
  /** The controller's own message. */
  readonly message: string;
  /** The object, as stored, of the rollout that a background run belongs to; undefined for other runs. */
  readonly rollout: unknown;
};

/** A metric with its counters and the controller's message; of its measurements only whether there are any. */
export type CountedMetric = Omit<RecordedMetric, "measurements" | "lost" | "takenAgain" | "isInconsistent"> & {
  readonly message?: string;
  readonly measurements: readonly { readonly phase: RunPhase }[];
};

/** The fields that a page shows of a stored run in addition to its rows. */
export type DescribedRun = {
  readonly metrics: ReadonlyMap<string, DescribedMetric>;
  /** Why the run has this phase. */
  readonly explanation: string | undefined;
  /** When its measuring begins, if that is not at once. */
  readonly start: string | undefined;
};

/** The limits that a metric's rules set, and why it has this phase. */
export type DescribedMetric = { readonly drawn: Thresholds; readonly explanation: string | undefined };

export type StoredMeasurements = {
  /** As stored: redacted. */
  readonly rules: unknown;
  /** The unit of each metric's values; null if it is not certain. */
  readonly units: ReadonlyMap<string, string | null>;
  readonly measurements: readonly {
    readonly metric: string;
    readonly phase: RunPhase;
    readonly message: string;
    readonly value?: string;
    /** ISO 8601. */
    readonly finishedAt?: string | undefined;
  }[];
};

export type ThresholdOperator = "<" | "<=" | ">" | ">=" | "==" | "!=";

/** On which side of the value the condition is true. */
export type ThresholdRegion = "above" | "below" | "at" | "other";

export type Threshold = {
  readonly condition: "success" | "failure";
  /** The compared expression, such as `result[0]`. */
  readonly accessor: string;
  /** Normalised so that the accessor is on the left. */
  readonly operator: ThresholdOperator;
  readonly value: number;
  /** The value as the condition writes it. */
  readonly text: string;
  /** Whether the value itself belongs to the region. */
  readonly inclusive: boolean;
  readonly region: ThresholdRegion;
};

/** Returns whether a condition compares the value itself, which may be a list of one. */
export function isResult(accessor: string): boolean {
  return accessor === "result" || accessor === "result[0]";
}

/** `isComplete`: the thresholds cover the conditions completely; otherwise the text must be shown next to them. */
export type Thresholds = { readonly thresholds: readonly Threshold[]; readonly isComplete: boolean };
