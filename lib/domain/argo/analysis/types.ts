/**
 * The Argo resources of analysis as upstream's JSON writes them, restricted to the fields which decide a verdict.
 * Source: argo-rollouts pkg/apis/rollouts/v1alpha1/analysis_types.go.
 */

export const analysisPhases = ["Pending", "Running", "Successful", "Failed", "Error", "Inconclusive"] as const;
export type AnalysisPhase = (typeof analysisPhases)[number];

/** A number, or text that contains one: limits may come from arguments. Text that is not a number counts as 0. */
export type IntOrString = number | string;

/** Keys of `provider` that upstream knows; `plugin` maps a plugin's name to its own configuration. */
export type MetricProvider = { readonly [key: string]: unknown };

export type MetricSpec = {
  readonly name: string;
  /** Go duration. Absent or empty: the metric is measured once (or `count` times is invalid). */
  readonly interval?: string;
  readonly initialDelay?: string;
  readonly count?: IntOrString;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly failureLimit?: IntOrString;
  readonly inconclusiveLimit?: IntOrString;
  readonly consecutiveErrorLimit?: IntOrString;
  readonly consecutiveSuccessLimit?: IntOrString;
  readonly provider?: MetricProvider;
};

/** One measurement; without `finishedAt` it is in flight. Times are RFC 3339 text. */
export type Measurement = {
  readonly phase: AnalysisPhase;
  readonly message?: string;
  readonly value?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  /** Earliest time at which an in-flight measurement is checked again. */
  readonly resumeAt?: string;
  readonly metadata?: Readonly<Record<string, string>>;
};

/** Counters outlive the list: `count` excludes errors, and old measurements are trimmed. */
export type MetricResult = {
  readonly name: string;
  readonly phase?: AnalysisPhase;
  readonly message?: string;
  readonly measurements?: readonly Measurement[];
  readonly count?: number;
  readonly successful?: number;
  readonly failed?: number;
  readonly inconclusive?: number;
  readonly error?: number;
  readonly consecutiveError?: number;
  readonly consecutiveSuccess?: number;
  readonly dryRun?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
};

export type Argument = {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: { readonly name?: string; readonly key?: string };
    readonly fieldRef?: { readonly fieldPath?: string };
  };
};

export type DryRunRule = { readonly metricName: string };
export type MeasurementRetentionRule = { readonly metricName: string; readonly limit?: number };

export type TtlStrategy = {
  readonly secondsAfterCompletion?: number;
  readonly secondsAfterFailure?: number;
  readonly secondsAfterSuccess?: number;
};

export type AnalysisRunSpec = {
  readonly metrics: readonly MetricSpec[];
  readonly args?: readonly Argument[];
  readonly terminate?: boolean;
  readonly dryRun?: readonly DryRunRule[];
  readonly measurementRetention?: readonly MeasurementRetentionRule[];
  readonly ttlStrategy?: TtlStrategy;
};

/** Counts metrics, not measurements. */
export type RunSummary = {
  readonly count: number;
  readonly successful: number;
  readonly failed: number;
  readonly inconclusive: number;
  readonly error: number;
};

export type AnalysisRunStatus = {
  readonly phase?: AnalysisPhase;
  readonly message?: string;
  readonly startedAt?: string;
  readonly completedAt?: string;
  readonly metricResults?: readonly MetricResult[];
  readonly runSummary?: RunSummary;
  readonly dryRunSummary?: RunSummary;
};

/** A value, or upstream's error text. */
export type Outcome<T> = { readonly value: T } | { readonly error: string };
