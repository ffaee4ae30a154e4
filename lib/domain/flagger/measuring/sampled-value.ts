import type { RolloutSample } from "#lib/domain/delivery/sampling.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import type { AnalysisMetric, AnalysisSpec } from "./analysis-spec.ts";
import type { CheckRound } from "./derive-rounds.ts";
import { readBounds } from "./draw-range.ts";

const defaultIntervalMs = 60_000;
/** Times of messages may be cut to whole seconds, and the queries of a round take time. */
const marginMs = 1000;

/**
 * Finds the value that a metric had in a round that it passed. Flagger sets the metric in the round and leaves it until
 * the next one, so only a sample between the two counts. One that the metric's range refuses is of another round: the
 * clocks differ, or Flagger was not asked. Undefined if there is none.
 */
export function findSampledValue({
  metric,
  round,
  nextAt,
  spec,
  samples,
}: {
  /** Undefined for one that the spec does not have. */
  metric: AnalysisMetric | undefined;
  round: Pick<CheckRound, "at" | "isTimeExact">;
  /** When the next round ended, ISO 8601. */
  nextAt: string | undefined;
  spec: Pick<AnalysisSpec, "interval">;
  /** Of this metric, oldest first. */
  samples: readonly Pick<RolloutSample, "at" | "value">[];
}): number | undefined {
  if (metric === undefined || !round.isTimeExact) return undefined;
  const from = Date.parse(round.at) + marginMs;
  const intervalMs = parseDurationMs(spec.interval ?? "") ?? defaultIntervalMs;
  const until =
    Math.min(Date.parse(round.at) + intervalMs, nextAt === undefined ? Infinity : Date.parse(nextAt)) - marginMs;
  const value = samples.find(({ at }) => Date.parse(at) >= from && Date.parse(at) <= until)?.value;
  return value !== undefined && isInRange(metric, value) ? value : undefined;
}

function isInRange(metric: AnalysisMetric, value: number): boolean {
  return readBounds(metric).every((bound) => (bound.side === "min" ? value >= bound.value : value <= bound.value));
}
