import type { RunMetric } from "#lib/contract/analysis-run.ts";
import type { CountedMetric, DescribedMetric } from "#lib/domain/delivery/explaining.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import type { Gap, MetricRow, MetricSpecView } from "#lib/server/services/analysis-runs/metric-rows.ts";
import { asPhase } from "#lib/server/services/analysis-runs/run-row.ts";

/** Upstream's defaults (argo-rollouts utils/defaults/defaults.go and analysis/analysis.go). */
export const defaultLimits = { failure: "0", inconclusive: "0", consecutiveError: "4", consecutiveSuccess: "0" };

type Counters = Pick<
  MetricRow,
  "count" | "successful" | "failed" | "inconclusive" | "error" | "consecutive_error" | "dry_run" | "phase" | "message"
>;

/** Builds the wire form of a metric from its record and from its spec, if the run still has it. */
export function describeMetric({
  row,
  spec,
  described,
  gaps,
}: {
  row: MetricRow;
  spec: MetricSpecView | undefined;
  /** The described conditions; undefined if they took too long. */
  described: DescribedMetric | undefined;
  gaps: readonly Gap[];
}): RunMetric {
  return {
    name: row.name,
    provider: row.provider,
    phase: asPhase(row.phase),
    message: row.message,
    dryRun: row.dry_run,
    successCondition: spec?.successCondition ?? null,
    failureCondition: spec?.failureCondition ?? null,
    thresholds: [...(described?.drawn.thresholds ?? [])],
    conditionsDrawn: described?.drawn.isComplete ?? false,
    counters: {
      count: row.count,
      successful: row.successful,
      failed: row.failed,
      inconclusive: row.inconclusive,
      error: row.error,
      consecutiveError: row.consecutive_error,
      consecutiveSuccess: row.consecutive_success,
    },
    limits: {
      count: spec?.count ?? null,
      interval: spec?.interval ?? null,
      initialDelay: spec?.initialDelay ?? null,
      failureLimit: spec?.failureLimit ?? defaultLimits.failure,
      inconclusiveLimit: spec?.inconclusiveLimit ?? defaultLimits.inconclusive,
      consecutiveErrorLimit: spec?.consecutiveErrorLimit ?? defaultLimits.consecutiveError,
      consecutiveSuccessLimit: spec?.consecutiveSuccessLimit ?? defaultLimits.consecutiveSuccess,
    },
    query: row.query,
    gaps: gaps.map(({ afterSeq, count, open }) => ({ afterSeq, count, ...(open ? { open } : {}) })),
    inconsistent: row.inconsistent,
    recorded: row.recorded,
    takenAgain: row.taken_again,
    explanation: explain(row, described?.explanation),
  };
}

function explain(row: MetricRow, explanation: string | undefined): string {
  if (explanation === undefined) return summarizeMetric({ counters: row, spec: undefined });
  const dryRun = row.dry_run ? " It is a dry run, which decides nothing." : "";
  return `${explanation}${dryRun}`;
}

/**
 * Returns the counters as the controller wrote them; the explanation only needs to know that something was measured.
 */
export function toCountedMetric(row: MetricRow): CountedMetric {
  const phase = runPhases.find((each) => each === row.phase);
  return {
    name: row.name,
    dryRun: row.dry_run,
    count: row.count,
    successful: row.successful,
    failed: row.failed,
    inconclusive: row.inconclusive,
    error: row.error,
    consecutiveError: row.consecutive_error,
    consecutiveSuccess: row.consecutive_success,
    measurements: row.recorded === 0 ? [] : [{ phase: phase === undefined || phase === "Pending" ? "Running" : phase }],
    ...(phase === undefined ? {} : { phase }),
  };
}

/**
 * Puts the counters into a sentence with the limit that decided, such as `3 of 5 measurements inconclusive, limit 2`.
 */
export function summarizeMetric({ counters, spec }: { counters: Counters; spec: MetricSpecView | undefined }): string {
  const taken = counters.count + counters.error;
  const dryRun = counters.dry_run ? "; a dry run, which decides nothing" : "";
  const of = (part: number, word: string) =>
    `${part} of ${taken} ${taken === 1 ? "measurement" : "measurements"} ${word}`;
  if (taken === 0) return `no measurement yet${dryRun}`;
  switch (counters.phase) {
    case "Inconclusive":
      return `${of(counters.inconclusive, "inconclusive")}, limit ${spec?.inconclusiveLimit ?? defaultLimits.inconclusive}${dryRun}`;
    case "Failed":
      return `${of(counters.failed, "failed")}, limit ${spec?.failureLimit ?? defaultLimits.failure}${dryRun}`;
    case "Error":
      return `${counters.consecutive_error} errors in a row, limit ${spec?.consecutiveErrorLimit ?? defaultLimits.consecutiveError}${dryRun}`;
    default:
      return `${of(counters.successful, "successful")}${listOthers(counters)}${dryRun}`;
  }
}

function listOthers(counters: Counters): string {
  const parts = [
    [counters.failed, "failed"],
    [counters.inconclusive, "inconclusive"],
    [counters.error, "in error"],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `, ${count} ${word}`)
    .join("");
}
