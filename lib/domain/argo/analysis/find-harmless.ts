import { assessMetric, defaultConsecutiveErrorLimit } from "./assess-metric.ts";
import { effectiveCount, int32Value, intValue } from "./int-or-string.ts";
import { isSelfJudging } from "./judge-measurement.ts";
import { isCompleted } from "./phase.ts";
import { prepareRun } from "./reconcile-run.ts";
import type { AnalysisPhase, AnalysisRunSpec, MetricResult, MetricSpec } from "./types.ts";

export type HarmlessMetric = { metric: string; why: string };

/**
 * Finds the metrics that can neither fail nor become Inconclusive, whatever values they measure (errors aside), by
 * playing the worst courses through `assessMetric`. Left out: dry runs, which decide nothing by intention, and metrics
 * whose provider decides by itself.
 */
export function findHarmless(rules: AnalysisRunSpec): HarmlessMetric[] {
  const prepared = prepareRun(rules);
  if ("error" in prepared) return [];
  return prepared.spec.metrics.flatMap((metric) => {
    const why = prepared.dryRun.has(metric.name) ? undefined : explainHarmless(metric);
    return why === undefined ? [] : [{ metric: metric.name, why }];
  });
}

function explainHarmless(metric: MetricSpec): string | undefined {
  const { successCondition = "", failureCondition = "" } = metric;
  if (isSelfJudging(metric) || playsOf(metric).some((play) => !endsWell(metric, play))) return undefined;
  if (successCondition === "" && failureCondition === "") return "It has no condition, so every value counts as good.";
  if (isAlwaysGood(metric)) return "Its conditions are constant, so every value counts as good.";
  const count = effectiveCount(metric);
  const times = count === undefined ? "without end" : count <= 1 ? "once" : `${count} times`;
  const tolerated = int32Value(metric.failureLimit);
  const bad = tolerated < 0 ? "any number of bad values" : `${tolerated} bad ${tolerated === 1 ? "value" : "values"}`;
  return `It measures ${times} and tolerates ${bad}.`;
}

/** A course of a metric: the counters after so many measurements that count. */
type Play = (count: number) => MetricResult;

/** Lists the courses that come nearest to each limit. Other courses do not differ in any counter that has a limit. */
function playsOf({ name, ...metric }: MetricSpec): Play[] {
  const play = (phase: AnalysisPhase, counters: (count: number) => Partial<MetricResult>): Play => {
    return (count) => ({ name, count, measurements: [{ phase }], ...counters(count) });
  };
  const plays = [play("Successful", (count) => ({ successful: count, consecutiveSuccess: count }))];
  if (int32Value(metric.consecutiveErrorLimit ?? defaultConsecutiveErrorLimit) > 0) {
    // An error before each value is not counted, but no two successes follow each other.
    plays.push(play("Successful", (count) => ({ successful: count, consecutiveSuccess: 1, error: count })));
    // A negative count is reached without any value.
    plays.push(play("Error", () => ({ count: 0, error: 1, consecutiveError: 1 })));
  }
  if (isAlwaysGood(metric)) return plays;
  plays.push(play("Failed", (failed) => ({ failed })));
  const { successCondition = "", failureCondition = "" } = metric;
  if (successCondition !== "" && failureCondition !== "") {
    plays.push(play("Inconclusive", (inconclusive) => ({ inconclusive })));
  }
  return plays;
}

/** Plays a metric to its end. Its phase changes only when a counter reaches or passes a limit. */
function endsWell(metric: MetricSpec, play: Play): boolean {
  const last = effectiveCount(metric);
  const { failureLimit, inconclusiveLimit, consecutiveSuccessLimit } = metric;
  const limits = [failureLimit, inconclusiveLimit, consecutiveSuccessLimit].map(int32Value);
  const turns = [...limits, ...limits.map((limit) => limit + 1), last ?? 1]
    .map((count) => Math.max(1, count))
    .filter((count) => last === undefined || count <= Math.max(1, last))
    .toSorted((one, other) => one - other);
  for (const count of turns) {
    const { phase } = assessMetric({ metric, result: play(count), terminating: false });
    if (isCompleted(phase)) return phase === "Successful";
  }
  // Without an end, it waits for the successes that a limit asks for.
  return isAlwaysGood(metric) || intValue(consecutiveSuccessLimit) <= 0;
}

function isAlwaysGood({ successCondition = "", failureCondition = "" }: Omit<MetricSpec, "name">): boolean {
  return isConstant(successCondition, "true") && isConstant(failureCondition, "false");
}

/** An absent condition decides nothing, like a constant one. */
function isConstant(condition: string, value: "true" | "false"): boolean {
  return condition === "" || condition.trim() === value;
}
