import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { RecordedMetric } from "#lib/domain/delivery/verdict-check.ts";

/**
 * Says what a stored run means. Its rules come from strangers: what evaluates them is not called on a main thread, and
 * that is the first two. The others only read.
 */
export type ExplainingProvider = {
  describeRun(run: StoredRun): DescribedRun;
  /** Says why each measurement has its phase, in the same order; undefined if the rules do not say. */
  explainMeasurements(stored: StoredMeasurements): readonly (string | undefined)[];
  /** Reads the conditions of each metric from stored rules, with their arguments filled in. */
  readConditions(rules: unknown): ReadonlyMap<string, Conditions>;
  /** Finds the limits that conditions draw. */
  drawConditions(conditions: Conditions): Thresholds;
};

export type Conditions = {
  readonly successCondition?: string | undefined;
  readonly failureCondition?: string | undefined;
};

export type StoredRun = {
  /** As stored: redacted. */
  readonly rules: unknown;
  readonly metrics: readonly CountedMetric[];
  /** Undefined if the stored word is none of `runPhases`. */
  readonly phase: RunPhase | undefined;
  /** The controller's own words. */
  readonly message: string;
  /** The step of the rollout at which a background analysis begins, counted from 0. */
  readonly startingStep: number | undefined;
};

/** A metric with its counters, and no more of its measurements than that there are any. */
export type CountedMetric = Omit<RecordedMetric, "measurements" | "lost" | "takenAgain" | "isInconsistent"> & {
  readonly measurements: readonly { readonly phase: RunPhase }[];
};

/** What a page says of a stored run beyond its rows. */
export type DescribedRun = {
  readonly metrics: ReadonlyMap<string, DescribedMetric>;
  /** Why the run has its phase. */
  readonly explanation: string | undefined;
  /** When its measuring begins, if that is not at once. */
  readonly start: string | undefined;
};

/** What a metric's rules draw, and why it has its phase. */
export type DescribedMetric = { readonly drawn: Thresholds; readonly explanation: string | undefined };

export type StoredMeasurements = {
  /** As stored: redacted. */
  readonly rules: unknown;
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

/** Where the condition holds, seen from the value. */
export type ThresholdRegion = "above" | "below" | "at" | "other";

export type Threshold = {
  readonly condition: "success" | "failure";
  /** What is compared, as an expression: `result[0]`. */
  readonly accessor: string;
  /** As if the accessor were on the left. */
  readonly operator: ThresholdOperator;
  readonly value: number;
  /** The value as the condition writes it. */
  readonly text: string;
  /** Whether the value itself belongs to the region. */
  readonly inclusive: boolean;
  readonly region: ThresholdRegion;
};

/** `isComplete`: the thresholds are all there is to the conditions; otherwise the text must be shown beside them. */
export type Thresholds = { readonly thresholds: readonly Threshold[]; readonly isComplete: boolean };
