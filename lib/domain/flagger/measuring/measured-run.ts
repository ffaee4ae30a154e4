import type { MeasuredMetric, Measurement, MetricResult } from "#lib/domain/delivery/measuring.ts";
import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { RolloutSample } from "#lib/domain/delivery/sampling.ts";
import type { FlaggerMessage, MessageKind } from "#lib/domain/flagger/events/flagger-message.ts";
import { type AnalysisSpec, isBuiltin, labelMetrics, listChecks } from "./analysis-spec.ts";
import { type CheckRound, deriveRounds, type RoundGap } from "./derive-rounds.ts";
import { unitOf } from "./draw-range.ts";
import { findHaltedMetric } from "./find-halted-metric.ts";
import { isNear, mergeMessages, type RunMessage } from "./run-message.ts";
import { findSampledValue, timeSamples } from "./sampled-value.ts";

/**
 * A measurement of one round. Flagger's messages contain values only of metrics that halted a round:
 * - `Failed`: with its value in the unit of `unitOf`, and Flagger's message;
 * - `Error`: no value, and Flagger's message;
 * - `Successful`: inferred, with one of the two messages of `inferred`; its value only if that was sampled.
 * `startedAt` is unknown; `finishedAt` is when it had ended at the latest.
 */
export type RoundMeasurement = Measurement & {
  /** Number of the round. Rounds in which the metric was not evaluated leave a hole. */
  seq: number;
};

export type DerivedResult = Omit<MetricResult, "measurements"> & { measurements: readonly RoundMeasurement[] };

/** `metricProvider` is undefined for templates, which name it themselves. */
export type DerivedMetric = Omit<MeasuredMetric, "result"> & { result: DerivedResult | undefined };

/** A round with its result for each metric, by label. A metric in none of the lists is unknown. */
export type DerivedRound = CheckRound & {
  /** The metric that halted it; undefined if it passed, a hook halted it, or the message does not name it. */
  halted: string | undefined;
  /** Inferred. */
  passed: readonly string[];
  notEvaluated: readonly string[];
};

/** The analysis of one run of a Canary, in the terms of `MeasuredRun`. */
export type DerivedRun = {
  releaseKey: string;
  phase: RunPhase;
  /** Flagger's own message about the failure; empty if it did not fail. */
  message: string;
  startedAt: string;
  completedAt: string | undefined;
  rules: AnalysisSpec;
  /** One per metric that was measured, in the order of the spec, then those that only messages name. */
  results: readonly DerivedResult[];
  /** All metrics, measured or not. */
  metrics: readonly DerivedMetric[];
  rounds: readonly DerivedRound[];
  /** They apply to all metrics. */
  gaps: readonly RoundGap[];
  /** The peak of Flagger's counter. */
  failedChecks: number;
};

export const inferred = {
  round: "inferred: the round passed",
  metric: "inferred: a later metric halted the round",
} as const;

type RunInput = {
  releaseKey: string;
  /** The Canary's analysis as it was then. */
  spec: AnalysisSpec;
  /** Of this run only; the same message may come from both sources. */
  messages: readonly RunMessage[];
  /** The Canary's, at the end of the run if that has ended. */
  phase: string;
  startedAt: string;
  endedAt: string | undefined;
  /** Percent of the traffic that the canary had before: 100 after a failed promotion, else 0. */
  startWeight?: number | undefined;
  /** The highest that the Canary's status showed. */
  peakFailedChecks?: number | undefined;
  /** Samples of Flagger's own metrics, oldest first. */
  samples?: readonly RolloutSample[] | undefined;
  /** Whether the Canary was seen in the phases of its promotion: the message may be lost. */
  isPromotionSeen?: boolean | undefined;
};

/**
 * Derives the analysis of one run. Pure: the same messages give the same run. A message that arrives late may fill a
 * gap and so change the numbers of later rounds.
 */
export function deriveRun(input: RunInput): DerivedRun {
  const { releaseKey, spec, phase, startedAt, endedAt, startWeight, peakFailedChecks, isPromotionSeen } = input;
  const { samples = [] } = input;
  const messages = mergeMessages(input.messages);
  const { gaps, failedChecks, ...derived } = deriveRounds({ spec, messages, startWeight, peakFailedChecks });
  const rounds = placeRounds(derived.rounds, spec);
  const cause = findCause(messages);
  const run = judgeRun({ phase, isEnded: endedAt !== undefined, isPromotionSeen, messages, cause });
  const metrics = listMetrics({ spec, rounds, run, samples });
  return {
    releaseKey,
    phase: run,
    message: isBroken(run) ? (cause?.message.text ?? "") : "",
    startedAt,
    completedAt: endedAt,
    rules: spec,
    results: metrics.flatMap(({ result }) => result ?? []),
    metrics,
    rounds,
    gaps,
    failedChecks,
  };
}

function placeRounds(rounds: readonly CheckRound[], { metrics }: AnalysisSpec): DerivedRound[] {
  const checks = listChecks(metrics);
  const all = labelMetrics(metrics).map(({ label }) => label);
  return rounds.map((round) =>
    round.halt === undefined
      ? { ...round, halted: undefined, passed: all, notEvaluated: [] }
      : { ...round, ...findHaltedMetric(round.halt, checks) },
  );
}

/** Lists the metrics of the spec, then those that only messages name. */
function listMetrics({
  spec,
  rounds,
  run,
  samples,
}: {
  spec: AnalysisSpec;
  rounds: readonly DerivedRound[];
  run: RunPhase;
  samples: readonly RolloutSample[];
}): DerivedMetric[] {
  const specs = new Map(labelMetrics(spec.metrics).map(({ label, metric }) => [label, metric]));
  const timed = timeSamples(samples);
  const names = new Set([...specs.keys(), ...rounds.flatMap(({ halted }) => halted ?? [])]);
  return [...names].map((name) => {
    const metric = specs.get(name);
    const isPrometheus = metric !== undefined && (isBuiltin(metric) || metric.query !== undefined);
    const own = timed.get(metric?.name ?? "") ?? [];
    const measurements = rounds.flatMap((round, index): RoundMeasurement[] => {
      const measurement = measure(name, round);
      if (measurement?.phase !== "Successful") return measurement === undefined ? [] : [measurement];
      const value = findSampledValue({ metric, round, nextAt: rounds[index + 1]?.at, spec, samples: own });
      return [value === undefined ? measurement : { ...measurement, value: String(value) }];
    });
    return {
      name,
      metricProvider: isPrometheus ? "prometheus" : undefined,
      query: metric?.query,
      result: measurements.length === 0 ? undefined : toResult(name, { measurements, run }),
    };
  });
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

/** A template with the name of a built-in metric has an unknown unit: its value is left out. */
function formatValue(name: string, { value, unit }: Extract<FlaggerMessage, { kind: "halt-metric" }>) {
  return unitOf({ name }) === unit ? String(value) : undefined;
}

function toResult(
  name: string,
  { measurements, run }: { measurements: readonly RoundMeasurement[]; run: RunPhase },
): DerivedResult {
  const countOf = (phase: string) => measurements.filter((each) => each.phase === phase).length;
  const [failed, error] = [countOf("Failed"), countOf("Error")];
  const phase = isBroken(run) ? (failed > 0 ? "Failed" : error > 0 ? "Error" : "Successful") : run;
  return {
    name,
    phase,
    message: isBroken(run) ? (measurements.findLast((each) => each.phase === phase)?.message ?? "") : "",
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

function isBroken(run: RunPhase): boolean {
  return run === "Failed" || run === "Error";
}

const failures: readonly MessageKind[] = ["halt-metric", "halt-hook"];
const errors: readonly MessageKind[] = ["halt-no-values", "metric-query-error", "metric-config-error"];

/**
 * Judges how an analysis ended, from the phase of its Canary and the messages of the run in order. Flagger's Failed is
 * - `Successful` if the promotion had begun: the analysis passed, and the promotion failed;
 * - `Error` if nothing could be measured, or a workload did not become ready;
 * - `Inconclusive` if a person's hook asked for the rollback;
 * - `Failed` otherwise.
 * A run that another replaced, or whose Canary was deleted, is `Inconclusive`.
 */
export function judgeRun({
  phase,
  isEnded,
  isPromotionSeen = false,
  messages,
  cause,
}: {
  phase: string;
  isEnded: boolean;
  isPromotionSeen?: boolean | undefined;
  messages: readonly RunMessage[];
  cause: RunMessage | undefined;
}): RunPhase {
  if (!isEnded) return "Running";
  if (phase === "Succeeded") return "Successful";
  if (phase !== "Failed") return "Inconclusive";
  const kinds = messages.map(({ message }) => message.kind);
  const hasPromotion = kinds.includes("promotion-started") || kinds.includes("promotion-failed");
  if (hasPromotion || isPromotionSeen) return "Successful";
  const kind = cause?.message.kind;
  if (kind === "rollback-manual") return "Inconclusive";
  if (kind === "workload-not-ready" || kind === "rollback-deadline") return "Error";
  const hasOnlyErrors = kinds.some((each) => errors.includes(each)) && !kinds.some((each) => failures.includes(each));
  return hasOnlyErrors ? "Error" : "Failed";
}

const failedCheckKinds: readonly MessageKind[] = [
  "halt-metric",
  "halt-no-values",
  "metric-query-error",
  "metric-config-error",
  "halt-hook",
];
const ends: readonly MessageKind[] = ["run-failed-rolled-back", "promotion-failed"];
const decisive: readonly MessageKind[] = [
  ...failedCheckKinds,
  "rollback-manual",
  "rollback-deadline",
  "workload-not-ready",
];

/**
 * Finds the message that says why a run failed: the last decisive one before "Canary failed!", which says nothing
 * itself, or the failed promotion (Flagger 1.44.0 and later). If all failed checks were lost, the one that counts them.
 * Undefined if nothing tells. Takes the messages of one run, in order.
 */
export function findCause(messages: readonly RunMessage[]): RunMessage | undefined {
  const end = messages.findIndex(({ message }) => ends.includes(message.kind));
  const ended = messages[end];
  if (ended?.message.kind === "promotion-failed") return ended;
  const before = end === -1 ? messages : messages.slice(0, end);
  const announced = before.findLastIndex(({ message }) => message.kind === "rollback-threshold");
  const threshold = before[announced];
  if (threshold === undefined) return before.findLast(({ message }) => decisive.includes(message.kind));
  // Flagger announces the threshold at every rollback once it is reached, whatever called for the rollback.
  const caller = before.slice(0, announced).findLast((each) => decisive.includes(each.message.kind));
  if (caller !== undefined && isRollbackCall(caller, threshold)) return caller;
  return before.slice(0, announced).findLast(({ message }) => failedCheckKinds.includes(message.kind)) ?? threshold;
}

/** Returns whether a message is what led to a rollback, in the tick of its announcement. */
function isRollbackCall(caller: RunMessage, announced: RunMessage): boolean {
  const { message } = caller;
  if (message.kind === "rollback-manual" || message.kind === "rollback-deadline") return isNear(caller, announced);
  return message.kind === "workload-not-ready" && (message.retriableFromMessage === false || isNear(caller, announced));
}
