import { readBound } from "./chart-lines.ts";
import type { SeriesSpec } from "./component.ts";
import { type ControllerFacts, findSeries } from "./facts.ts";
import type { SeriesPresence } from "./fold-samples.ts";
import { sumIncreases } from "./increases.ts";
import { type LabelledIncreases, listIncreases } from "./list-increases.ts";
import { estimateQuantile, type Quantile } from "./quantile.ts";

/** How far back the summary looks. A value that stays the same is stored once in five minutes. */
export const summaryMs = 11 * 60_000;
const rateMs = 5 * 60_000;

/** A number of the summary; null if it is missing, for the reason in `presence`. */
export type Reading = { label: string; unit: string; presence: SeriesPresence; value: number | null };
export type LatencyReading = Reading & { p50: Quantile | null; p99: Quantile | null };

export type ControllerSummary = {
  /** Per minute, over five minutes. */
  errors: Reading | null;
  /** Seconds; `value` is the median over five minutes. */
  latency: LatencyReading | null;
  /** The sum over all queues. */
  depth: Reading | null;
};

/** Sums up the newest samples. Null: the component has no such metric. */
export function summarizeController(facts: ControllerFacts): ControllerSummary {
  const of = (shows: SeriesSpec["shows"]) => facts.component.series.find((spec) => spec.shows === shows);
  const [errors, latency, depth] = [of("errors"), of("latency"), of("depth")];
  return {
    errors: errors === undefined ? null : readRate(facts, errors),
    latency: latency === undefined ? null : readLatency(facts, latency),
    depth: depth === undefined ? null : readSum(facts, depth),
  };
}

function readRate(facts: ControllerFacts, spec: SeriesSpec): Reading {
  const since = Date.parse(facts.now) - rateMs;
  const sum = increasesOf(facts, spec)
    .map(({ increases }) => sumIncreases(increases, since))
    .reduce<number | null>((total, each) => (total ?? 0) + each, null);
  return reading(facts, spec, sum === null ? null : (sum * 60_000) / rateMs);
}

function readSum(facts: ControllerFacts, spec: SeriesSpec): Reading {
  const last = findSeries(facts, spec.key).flatMap(({ points }) => points.at(-1)?.value ?? []);
  return reading(facts, spec, last.length === 0 ? null : last.reduce((sum, value) => sum + value, 0));
}

function readLatency(facts: ControllerFacts, spec: SeriesSpec): LatencyReading {
  const since = Date.parse(facts.now) - rateMs;
  const buckets = increasesOf(facts, spec).flatMap(({ labels: { le }, increases }) =>
    le === undefined ? [] : [{ le: readBound(le), count: sumIncreases(increases, since) }],
  );
  const median = estimateQuantile(buckets, 0.5);
  return {
    ...reading(facts, spec, median?.value ?? null),
    p50: median ?? null,
    p99: estimateQuantile(buckets, 0.99) ?? null,
  };
}

/** While scrapes fail, the last known value does not count as the current one. */
function reading({ scrape }: ControllerFacts, { key, label, unit }: SeriesSpec, value: number | null): Reading {
  const isKnown = scrape !== undefined && scrape.error === null;
  const presence = isKnown ? (scrape.presence[key] ?? "not-available") : "not-available";
  return { label, unit, presence, value: presence === "present" ? value : null };
}

function increasesOf({ samples, now }: ControllerFacts, { key }: SeriesSpec): LabelledIncreases[] {
  return listIncreases(samples, key, { from: Date.parse(now) - summaryMs });
}
