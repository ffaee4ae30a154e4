import type { Release } from "#lib/domain/delivery/derive-releases.ts";
import type { MeasuredMetric, Measurement, MetricResult } from "#lib/domain/delivery/measuring.ts";
import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { RolloutSample } from "#lib/domain/delivery/sampling.ts";

/**
 * The part of a provider whose controller analyses releases itself: it keeps no run as an object, and reports only in
 * messages about its rollouts. They arrive by its webhook, and as Kubernetes events.
 */
export type ReportingProvider = {
  /**
   * Derives the analysis of a release; undefined if there was none. Pure: the same input gives the same run. Values
   * that no message contains stay undefined.
   */
  deriveRun(reported: ReportedRelease): ReportedRun | undefined;
};

/** A message of a controller about one rollout. */
export type ReportedMessage = {
  /** ISO 8601, by the controller's clock; Kubernetes events have whole seconds. */
  at: string;
  /** The same message may come from both. */
  source: "webhook" | "kubernetes";
  /** As received, redacted. */
  text: string;
  /** Number of new occurrences, the last one at `at`. */
  count: number;
};

export type ReportedRelease = {
  release: Pick<Release, "runKey" | "attempt" | "state" | "startedAt" | "endedAt">;
  /** The observations of its time, oldest first. */
  observations: readonly { observedAt: string; projection: unknown }[];
  /** The rollout's object as recorded last, redacted. */
  object: unknown;
  /** The rules already stored with the ended run; undefined if missing. */
  rules: unknown;
  /** About its rollout, from some time before the release until some time after it; in any order. */
  messages: readonly ReportedMessage[];
  /** Of the metrics of its analysis in its time, oldest first; empty if the controller's metrics are not read. */
  samples: readonly RolloutSample[];
};

/** A run that was derived from messages. */
export type ReportedRun = {
  phase: RunPhase;
  /** The controller's own message about the end; empty if missing. */
  message: string;
  startedAt: string;
  /** Undefined until it has ended. */
  completedAt: string | undefined;
  /** Redacted. */
  rules: unknown;
  metrics: readonly ReportedMetric[];
  /** They apply to all metrics. */
  gaps: readonly ReportedGap[];
};

export type ReportedMetric = Omit<MeasuredMetric, "result"> & {
  result: (Omit<MetricResult, "measurements"> & { measurements: readonly ReportedMeasurement[] }) | undefined;
};

/** `seq` is its number in the run. A metric that was not evaluated leaves a hole in its numbers. */
export type ReportedMeasurement = Measurement & { seq: number };

/** At least `atLeast` measurements after `afterSeq` are missing; their true number is unknown, and may be 0. */
export type ReportedGap = { afterSeq: number; atLeast: number };
