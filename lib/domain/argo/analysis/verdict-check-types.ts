import type { Language } from "#lib/expr/language.ts";
import type { AnalysisPhase, AnalysisRunSpec, Measurement, MetricResult } from "./types.ts";

/** A measurement as it was stored, with its number. `isAltered`: the stored text is not the one that was received. */
export type RecordedMeasurement = Measurement & { readonly seq: number; readonly isAltered?: boolean };

/** A metric's counters as the controller last wrote them, and its measurements in the order of their numbers. */
export type RecordedMetric = Omit<MetricResult, "measurements"> & {
  readonly measurements: readonly RecordedMeasurement[];
  /** Measurements that are known to be missing. */
  readonly lost: number;
  /** Measurements that the controller retook; they are not among `measurements`. */
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
  /** Of the controller that made the run; absent if its version was not recorded. */
  readonly language?: Language;
};
