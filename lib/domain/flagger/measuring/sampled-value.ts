import type { RolloutSample } from "#lib/domain/delivery/sampling.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import type { AnalysisMetric, AnalysisSpec } from "./analysis-spec.ts";
import type { CheckRound } from "./derive-rounds.ts";
import { readBounds } from "./draw-range.ts";

const defaultIntervalMs = 60_000;
/** Times of messages may be cut to whole seconds, and the queries of a round take time. */
const marginMs = 1000;

/** Samples of one metric, oldest first; `at` in milliseconds since 1970. */
export type TimedSamples = readonly { at: number; value: number }[];

/** Groups the samples by metric and parses their times: a long run has very many samples. */
export function timeSamples(samples: readonly RolloutSample[]): ReadonlyMap<string, TimedSamples> {
  const found = new Map<string, { at: number; value: number }[]>();
  for (const { metric, at, value } of samples) {
    if (metric === null) continue;
    const own = found.get(metric) ?? [];
    own.push({ at: Date.parse(at), value });
    found.set(metric, own);
  }
  return found;
}

/**
 * Finds the value that a metric had in a round that it passed. Flagger sets the metric in the round and leaves it until
 * the next one, so only a sample between the two counts. A sample outside the metric's range belongs to another round:
 * the clocks differ, or Flagger was not asked. Undefined without a sample that counts.
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
  /** Of this metric. */
  samples: TimedSamples;
}): number | undefined {
  if (metric === undefined || !round.isTimeExact || samples.length === 0) return undefined;
  const at = Date.parse(round.at);
  const intervalMs = parseDurationMs(spec.interval ?? "") ?? defaultIntervalMs;
  const endMs = Math.min(at + intervalMs, nextAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(nextAt));
  const sample = samples[findFirst(samples, at + marginMs)];
  if (sample === undefined || sample.at > endMs - marginMs) return undefined;
  return isInRange(metric, sample.value) ? sample.value : undefined;
}

/** Finds the index of the first sample at or after a time; the length if all are earlier. */
function findFirst(samples: TimedSamples, fromMs: number): number {
  let [low, high] = [0, samples.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((samples[middle]?.at ?? 0) < fromMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isInRange(metric: AnalysisMetric, value: number): boolean {
  return readBounds(metric).every((bound) => (bound.side === "min" ? value >= bound.value : value <= bound.value));
}
