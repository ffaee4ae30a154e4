import type { Domain } from "#components/charts/chart-scale.ts";
import type { RunPart } from "#lib/client/run-queries.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const second = 1_000;

/** Returns the part of a run's time to load for the view, in whole seconds as the cluster writes them. */
export function partInView([fromMs, toMs]: Domain): RunPart {
  return {
    from: new Date(Math.floor(fromMs / second - 1) * second).toISOString(),
    to: new Date(Math.ceil(toMs / second + 1) * second).toISOString(),
  };
}

/**
 * Replaces the thinned measurements of a part's time with those of the part. Measurements taken after the part was
 * loaded stay.
 */
export function mergePart(whole: readonly Measurement[], part: RunPart, own: readonly Measurement[]): Measurement[] {
  const [fromMs, toMs] = [Date.parse(part.from), Date.parse(part.to)];
  const lastSeqs = new Map<string, number>();
  for (const { metric, seq } of own) lastSeqs.set(metric, Math.max(seq, lastSeqs.get(metric) ?? 0));
  const others = whole.filter(({ metric, seq, finishedAt, startedAt }) => {
    const atMs = Date.parse(finishedAt ?? startedAt);
    return atMs < fromMs || atMs > toMs || seq > (lastSeqs.get(metric) ?? 0);
  });
  return [...others, ...own];
}
