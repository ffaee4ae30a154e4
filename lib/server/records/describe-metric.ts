import type { RunMetric } from "#lib/contract/analysis-run.ts";
import type { CountedMetric, DefaultLimits, DescribedMetric, MetricRules } from "#lib/domain/delivery/explaining.ts";
import { formatLimitUse } from "#lib/domain/delivery/limit-words.ts";
import { runPhases } from "#lib/domain/delivery/run-phase.ts";
import { type ConfiguredUnits, findUnit } from "#lib/domain/units/find-unit.ts";
import type { Gap, MetricRow } from "#lib/server/records/metric-rows.ts";
import { asPhase } from "#lib/server/records/run-row.ts";

type Counters = Pick<
  MetricRow,
  "count" | "successful" | "failed" | "inconclusive" | "error" | "consecutive_error" | "dry_run" | "phase" | "message"
>;

/** The rules of a metric, undefined if the spec does not name it any more, and the limits of one that sets none. */
export type Ruled = { rules: MetricRules | undefined; defaults: DefaultLimits };

/** Builds the wire form of a metric, without its links, from its record and from its spec, if the run still has it. */
export function describeMetric({
  row,
  rules,
  defaults,
  described,
  gaps,
  units,
}: Ruled & {
  row: MetricRow;
  /** Those of the config. */
  units: ConfiguredUnits;
  /** The described conditions; undefined if they took too long. */
  described: DescribedMetric | undefined;
  gaps: readonly Gap[];
}): Omit<RunMetric, "links" | "replayedPhase"> {
  return {
    name: row.name,
    provider: row.provider,
    phase: asPhase(row.phase),
    message: row.message,
    dryRun: row.dry_run,
    successCondition: rules?.successCondition ?? null,
    failureCondition: rules?.failureCondition ?? null,
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
      count: rules?.count ?? null,
      interval: rules?.interval ?? null,
      initialDelay: rules?.initialDelay ?? null,
      failureLimit: rules?.failureLimit ?? defaults.failure,
      inconclusiveLimit: rules?.inconclusiveLimit ?? defaults.inconclusive,
      consecutiveErrorLimit: rules?.consecutiveErrorLimit ?? defaults.consecutiveError,
      consecutiveSuccessLimit: rules?.consecutiveSuccessLimit ?? defaults.consecutiveSuccess,
    },
    query: row.query,
    metadata: row.metadata ?? {},
    unit: unitOf(row, rules, units),
    gaps: gaps.map(({ afterSeq, count, open }) => ({ afterSeq, count, ...(open ? { open } : {}) })),
    inconsistent: row.inconsistent,
    recorded: row.recorded,
    takenAgain: row.taken_again,
    explanation: explain({ counters: row, rules, defaults }, described?.explanation),
  };
}

/** Finds the unit of a recorded metric's values; null if it is not certain. */
export function unitOf(
  { name, provider, query }: Pick<MetricRow, "name" | "provider" | "query">,
  rules: Pick<MetricRules, "unit"> | undefined,
  units: ConfiguredUnits,
): string | null {
  return findUnit({ metric: name, provider, query, known: rules?.unit ?? null }, units);
}

function explain(measured: Ruled & { counters: Counters }, explanation: string | undefined): string {
  if (explanation === undefined) return summarizeMetric(measured);
  const dryRun = measured.counters.dry_run ? " It is a dry run and does not count." : "";
  return `${explanation}${dryRun}`;
}

/**
 * Returns the counters as the controller wrote them; the explanation only needs to know that something was measured.
 */
export function toCountedMetric(row: MetricRow): CountedMetric {
  const phase = runPhases.find((each) => each === row.phase);
  return {
    name: row.name,
    message: row.message,
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
 * Puts the counters into a sentence with the limit that decided, such as `3 of 5 measurements were inconclusive (limit
 * 2)`.
 */
export function summarizeMetric({ counters, rules, defaults }: Ruled & { counters: Counters }): string {
  const { count, successful, failed, inconclusive, error, consecutive_error: consecutiveError, phase } = counters;
  const taken = count + error;
  const dryRun = counters.dry_run ? "; a dry run, does not count" : "";
  if (taken === 0) return `no measurement yet${dryRun}`;
  const limits = {
    inconclusiveLimit: rules?.inconclusiveLimit ?? defaults.inconclusive,
    failureLimit: rules?.failureLimit ?? defaults.failure,
    consecutiveErrorLimit: rules?.consecutiveErrorLimit ?? defaults.consecutiveError,
  };
  const used = formatLimitUse({ phase, counters: { count, failed, inconclusive, error, consecutiveError }, limits });
  const passed = `${successful} of ${taken} ${taken === 1 ? "measurement" : "measurements"} successful${listOthers(counters)}`;
  return `${used ?? passed}${dryRun}`;
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
