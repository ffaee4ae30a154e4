import type { MeasuredMetric, Measurement, MetricResult } from "#lib/domain/delivery/measuring.ts";
import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { FlaggerMessage } from "#lib/domain/flagger/events/flagger-message.ts";
import { type AnalysisSpec, isBuiltin, labelMetrics, listChecks } from "./analysis-spec.ts";
import { type CheckRound, deriveRounds, type RoundGap } from "./derive-rounds.ts";
import { unitOf } from "./draw-range.ts";
import { findCause } from "./find-cause.ts";
import { judgeRun } from "./judge-run.ts";
import { placeHalt } from "./place-halt.ts";
import { mergeMessages, type RunMessage } from "./run-message.ts";

/**
 * A measurement of one round. Flagger tells values only of metrics that halted a round:
 * - `Failed`: with its value in the unit of `unitOf`, and Flagger's message;
 * - `Error`: no value, and Flagger's message;
 * - `Successful`: inferred; no value, and one of the two messages of `inferred`.
 * `startedAt` is unknown; `finishedAt` is when it had ended at the latest.
 */
export type RoundMeasurement = Measurement & {
  /** Number of the round. Rounds in which the metric was not evaluated leave a hole. */
  seq: number;
};

export type DerivedResult = Omit<MetricResult, "measurements"> & { measurements: readonly RoundMeasurement[] };

/** A round with what it says of each metric, by label. A metric in none of the lists is unknown. */
export type DerivedRound = CheckRound & {
  /** The metric that halted it; undefined if it passed, a hook halted it, or the message does not tell. */
  halted: string | undefined;
  /** Inferred. */
  passed: readonly string[];
  notEvaluated: readonly string[];
};

/** The analysis of one run of a Canary, in the terms of `MeasuredRun`. */
export type DerivedRun = {
  releaseKey: string;
  phase: RunPhase;
  /** Flagger's own words about why it failed; empty if it did not. */
  message: string;
  startedAt: string;
  completedAt: string | undefined;
  rules: AnalysisSpec;
  /** One per metric that was measured, in the order of the spec, then those that only messages name. */
  results: readonly DerivedResult[];
  /** All metrics, measured or not. */
  metrics: readonly MeasuredMetric[];
  rounds: readonly DerivedRound[];
  /** They concern all metrics alike. */
  gaps: readonly RoundGap[];
  /** The peak of Flagger's counter. */
  failedChecks: number;
};

export const inferred = {
  round: "inferred: the round passed",
  metric: "inferred: a later metric halted the round",
} as const;

/**
 * Derives the analysis of one run from its messages, which may come from both sources, and from the Canary's spec as it
 * was then. `phase` is the Canary's, at the end of the run if that has ended. Pure: the same messages give the same run.
 * A message that arrives late may fill a gap and so change the numbers of later rounds.
 */
export function deriveRun({
  releaseKey,
  spec,
  messages: told,
  phase,
  startedAt,
  endedAt,
  startWeight,
  peakFailedChecks,
  isPromotionSeen = false,
}: {
  releaseKey: string;
  spec: AnalysisSpec;
  messages: readonly RunMessage[];
  phase: string;
  startedAt: string;
  endedAt: string | undefined;
  startWeight?: number;
  peakFailedChecks?: number;
  /** Whether the Canary was seen in the phases of its promotion: the message may be lost. */
  isPromotionSeen?: boolean;
}): DerivedRun {
  const messages = mergeMessages(told);
  const checks = listChecks(spec.metrics);
  const labels = labelMetrics(spec.metrics);
  const all = labels.map(({ label }) => label);
  const derived = deriveRounds({
    spec,
    messages,
    ...(startWeight === undefined ? {} : { startWeight }),
    ...(peakFailedChecks === undefined ? {} : { peakFailedChecks }),
  });
  const rounds = derived.rounds.map((round): DerivedRound => {
    if (round.halt === undefined) return { ...round, halted: undefined, passed: all, notEvaluated: [] };
    return { ...round, ...placeHalt(round.halt, checks) };
  });
  const cause = findCause(messages);
  const run = judgeRun({ phase, isEnded: endedAt !== undefined, isPromotionSeen, messages, cause });
  const named = [...new Set([...all, ...rounds.flatMap(({ halted }) => halted ?? [])])];
  const results = named.flatMap((name) => {
    const measurements = rounds.flatMap((round) => measure(name, round) ?? []);
    return measurements.length === 0 ? [] : [toResult(name, { measurements, run })];
  });
  const specs = new Map(labels.map(({ label, metric }) => [label, metric]));
  const metrics = named.map((name): MeasuredMetric => {
    const metric = specs.get(name);
    const isPrometheus = metric !== undefined && (isBuiltin(metric) || metric.query !== undefined);
    return {
      name,
      metricProvider: isPrometheus ? "prometheus" : undefined,
      query: metric?.query,
      result: results.find((result) => result.name === name),
    };
  });
  const message = run === "Failed" || run === "Error" ? (cause?.message.text ?? "") : "";
  return {
    releaseKey,
    phase: run,
    message,
    startedAt,
    completedAt: endedAt,
    rules: spec,
    results,
    metrics,
    rounds,
    gaps: derived.gaps,
    failedChecks: derived.failedChecks,
  };
}

function measure(name: string, { number: seq, at, halt, halted, passed }: DerivedRound): RoundMeasurement | undefined {
  const base = { seq, startedAt: undefined, finishedAt: at, value: undefined };
  if (halt !== undefined && halted === name) {
    if (halt.kind !== "halt-metric") return { ...base, phase: "Error", message: halt.text };
    return { ...base, phase: "Failed", message: halt.text, value: formatValue(name, halt) };
  }
  if (!passed.includes(name)) return undefined;
  return { ...base, phase: "Successful", message: halt === undefined ? inferred.round : inferred.metric };
}

/** A template with the name of a built-in metric measures in a unit that nobody knows: its value is left out. */
function formatValue(name: string, { value, unit }: Extract<FlaggerMessage, { kind: "halt-metric" }>) {
  return unitOf({ name }) === unit ? String(value) : undefined;
}

function toResult(
  name: string,
  { measurements, run }: { measurements: readonly RoundMeasurement[]; run: RunPhase },
): DerivedResult {
  const countOf = (phase: string) => measurements.filter((each) => each.phase === phase).length;
  const [failed, error] = [countOf("Failed"), countOf("Error")];
  const isBroken = run === "Failed" || run === "Error";
  const ended = isBroken ? (failed > 0 ? "Failed" : error > 0 ? "Error" : "Successful") : run;
  return {
    name,
    phase: ended,
    message: isBroken ? (measurements.findLast(({ phase }) => phase === ended)?.message ?? "") : "",
    measurements,
    count: measurements.length - error,
    successful: countOf("Successful"),
    failed,
    inconclusive: 0,
    error,
    consecutiveError: countLast(measurements, "Error"),
    consecutiveSuccess: countLast(measurements, "Successful"),
    dryRun: undefined,
  };
}

function countLast(measurements: readonly RoundMeasurement[], wanted: string): number {
  return measurements.length - 1 - measurements.findLastIndex(({ phase }) => phase !== wanted);
}
