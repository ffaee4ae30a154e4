import { formatLimitUse } from "#lib/domain/delivery/limit-words.ts";
import { formatCount, formatCountOf } from "#lib/util/words.ts";
import { assessMetric, defaultConsecutiveErrorLimit, metricFailureReason } from "./assess-metric.ts";
import { effectiveCount, int32Value, intValue } from "./int-or-string.ts";
import { isCutOff } from "./measurement-value.ts";
import { isCompleted } from "./phase.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, MetricResult, MetricSpec } from "./types.ts";

/** Explains a metric's phase, with the counters and limits that decide. */
export function explainMetric(input: {
  readonly metric: MetricSpec;
  readonly result: MetricResult | undefined;
  readonly terminating?: boolean;
}): string {
  const { metric, terminating = false } = input;
  const result = input.result ?? { name: metric.name };
  const { phase } = assessMetric({ metric, result, terminating });
  const counts = countsOf(metric, result);
  if (isOnlyCutOff(result) && (phase === "Successful" || phase === "Inconclusive"))
    return `${metric.name} was ended before its only measurement had a result; the controller recorded it as ${phase}.`;
  switch (phase) {
    case "Pending":
      return `${metric.name} has not been measured yet${startText(metric)}.`;
    case "Running":
      return `${metric.name} is still being measured: ${counts.summary}; ${remainderText(metric)}.`;
    case "Failed":
      return explainFailedMetric(metric, counts);
    case "Inconclusive":
      return explainInconclusiveMetric(metric, counts);
    case "Error":
      return limitSentence(metric, counts, phase);
    default:
      return explainSuccessfulMetric(metric, counts, terminating);
  }
}

/** The last measurement's message is the metric's. */
function isOnlyCutOff({ message = "", count = 0, error = 0 }: MetricResult): boolean {
  return isCutOff({ message }) && count + error === 1;
}

type Counts = ReturnType<typeof countsOf>;

function countsOf(metric: MetricSpec, result: MetricResult) {
  const { count = 0, successful = 0, failed = 0, inconclusive = 0, error = 0 } = result;
  const { consecutiveError = 0, consecutiveSuccess = 0 } = result;
  const others = [
    failedText(failed),
    inconclusive > 0 ? `${inconclusive} inconclusive` : "",
    error > 0 ? formatCountOf(error, "error") : "",
  ];
  return {
    count,
    successful,
    failed,
    inconclusive,
    error,
    consecutiveError,
    consecutiveSuccess,
    failureLimit: int32Value(metric.failureLimit),
    inconclusiveLimit: int32Value(metric.inconclusiveLimit),
    errorLimit:
      metric.consecutiveErrorLimit === undefined
        ? defaultConsecutiveErrorLimit
        : int32Value(metric.consecutiveErrorLimit),
    successLimit: int32Value(metric.consecutiveSuccessLimit),
    target: effectiveCount(metric),
    passed: listCounts([`${formatCount(successful)} of ${formatCount(count)} passed`, ...others]),
    summary: listCounts([`${formatCount(successful)} of ${formatCount(count)} successful`, ...others]),
  };
}

function listCounts(texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join(", ");
}

function failedText(failed: number): string {
  return failed > 0 ? `${failed} failed` : "";
}

function startText({ initialDelay = "" }: MetricSpec): string {
  return initialDelay === "" ? "" : `; it starts ${initialDelay} after the run`;
}

function remainderText(metric: MetricSpec): string {
  const target = effectiveCount(metric);
  return target === undefined ? "it continues until the run ends" : `${target} needed`;
}

function explainFailedMetric(metric: MetricSpec, counts: Counts): string {
  const { name } = metric;
  if (counts.failureLimit >= 0 && counts.failed > counts.failureLimit) {
    return limitSentence(metric, counts, "Failed");
  }
  const best = `${formatCountOf(counts.consecutiveSuccess, "success", "successes")} in a row at the end`;
  return `${name} was measured ${formatCountOf(counts.count, "time")} with ${best}; ${counts.successLimit} in a row were needed.`;
}

function explainInconclusiveMetric(metric: MetricSpec, counts: Counts): string {
  const { name } = metric;
  if (counts.inconclusive > counts.inconclusiveLimit) return limitSentence(metric, counts, "Inconclusive");
  const missed = `neither ${formatCountOf(counts.successLimit, "success", "successes")} in a row nor more than ${formatCountOf(counts.failureLimit, "failure")}`;
  return `${name} was measured ${formatCountOf(counts.count, "time")} with ${missed}.`;
}

function limitSentence({ name }: MetricSpec, counts: Counts, phase: "Error" | "Failed" | "Inconclusive"): string {
  const limits = { ...counts, consecutiveErrorLimit: counts.errorLimit };
  return `${formatLimitUse({ name, phase, counters: counts, limits })}.`;
}

function explainSuccessfulMetric(metric: MetricSpec, counts: Counts, terminating: boolean): string {
  const { name } = metric;
  if (counts.successLimit > 0 && counts.consecutiveSuccess >= counts.successLimit) {
    return `${name} had ${formatCountOf(counts.consecutiveSuccess, "success", "successes")} in a row; ${counts.successLimit} ${counts.successLimit === 1 ? "was" : "were"} needed.`;
  }
  if (counts.target !== undefined && counts.count >= counts.target) {
    const limit =
      intValue(metric.failureLimit) < 0 ? "failures do not count" : `failures allowed: ${counts.failureLimit}`;
    return `${name}: ${counts.summary}; ${limit}.`;
  }
  if (counts.count + counts.error === 0)
    return `${name} was never measured: the run ended first, which counts as success.`;
  const what = terminating ? "the run" : "measuring";
  return `${name}: ${counts.passed} before ${what} stopped.`;
}

/** Explains a run's phase. */
export function explainRun(spec: AnalysisRunSpec, status: AnalysisRunStatus): string {
  const { phase = "Pending", metricResults = [] } = status;
  const results = new Map(metricResults.map((result) => [result.name, result]));
  if (!isCompleted(phase)) {
    const open = spec.metrics.filter(({ name }) => !isCompleted(results.get(name)?.phase)).length;
    return `${open} of ${formatCountOf(spec.metrics.length, "metric")} not finished.`;
  }
  const deciding = spec.metrics.find(({ name }) => {
    const result = results.get(name);
    return result?.phase === phase && result.dryRun !== true;
  });
  if (phase === "Successful") return successfulRun(spec, metricResults);
  const ended = spec.terminate === true ? "The run was terminated early. " : "";
  if (deciding === undefined) return `${ended}${status.message ?? `The run is ${phase}.`}`;
  return `${ended}${explainMetric({ metric: deciding, result: results.get(deciding.name), terminating: true })}`;
}

/**
 * Explains a success, and says so if no measurement supports it. The controller stops a background run of a rollout that
 * finished, so a run that was stopped did not always end early.
 */
function successfulRun(spec: AnalysisRunSpec, results: readonly MetricResult[]): string {
  const counted = results.filter((result) => result.dryRun !== true);
  const successes = counted.reduce(
    (sum, { successful = 0, ...result }) => sum + (isOnlyCutOff(result) ? 0 : successful),
    0,
  );
  const dry = results.length - counted.length;
  const byName = new Map(spec.metrics.map((metric) => [metric.name, metric]));
  const broken = counted.filter((result) => {
    const metric = byName.get(result.name);
    return metric !== undefined && metricFailureReason(metric, result) !== undefined;
  });
  const dryText = dry > 0 ? ` ${dry} of ${formatCountOf(spec.metrics.length, "metric")} did not count (dry run).` : "";
  if (broken.length > 0) {
    const names = broken.map(({ name }) => name).join(", ");
    return `Reported Successful, although ${names} exceeded a limit.${dryText}`;
  }
  const until = spec.terminate === true ? " until the run was stopped" : "";
  if (successes === 0)
    return `No measurement was successful, but no limit was exceeded${until}, so the run counts as Successful.${dryText}`;
  const names = namesOf(counted.length);
  return `${names} stayed within the limits${until}, with ${formatCountOf(successes, "successful measurement")}.${dryText}`;
}

function namesOf(count: number): string {
  if (count === 1) return "The metric";
  return count === 2 ? "Both metrics" : `All ${count} metrics`;
}

/**
 * Explains when measuring begins, if that is not at once; undefined if it is. `startingStep` counts steps from 0 and
 * applies to background analysis: the controller creates the run once the rollout has reached that step.
 */
export function explainStart(input: {
  readonly startingStep?: number;
  readonly metrics: readonly Pick<MetricSpec, "name" | "initialDelay">[];
}): string | undefined {
  const { startingStep = 0, metrics } = input;
  const step =
    startingStep > 0 ? [`It starts at step ${startingStep + 1} of the rollout (startingStep ${startingStep}).`] : [];
  const delays = metrics.flatMap(({ name, initialDelay = "" }) =>
    initialDelay === "" ? [] : [`${name} is first measured ${initialDelay} after the run starts (initialDelay).`],
  );
  const texts = [...step, ...delays];
  return texts.length === 0 ? undefined : texts.join(" ");
}
