import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import type { Domain } from "#components/charts/chart-scale.ts";
import { type RunPart, usePartMeasurements } from "#lib/client/run-queries.ts";
import type { LeftOut, Measurement } from "#lib/contract/analysis-run.ts";

/**
 * How a run is drawn: `whole`, thinned; `part`, the time in view with all points that fit, which may still be `loading`
 * or have `failed`.
 */
export type SeriesDetail = "whole" | "part" | "loading" | "failed";

export type Series = { measurements: readonly Measurement[]; leftOut: readonly LeftOut[] };

const afterMs = 150;

/** Loads the time in view in more detail if measurements of the run were left out; `leftOut` is then of that time. */
export function useSeriesInView(
  uid: string,
  whole: Series,
  zoom: Domain | undefined,
): Series & { detail: SeriesDetail } {
  const [settled] = useDebouncedValue(zoom, afterMs);
  const isWanted = zoom !== undefined && whole.leftOut.length > 0;
  const part = useMemo(
    () => (isWanted && settled !== undefined ? partInView(settled) : undefined),
    [isWanted, settled],
  );
  const { data, isPlaceholderData, error } = usePartMeasurements(uid, part);
  const { measurements } = whole;
  const merged = useMemo(
    () => (isWanted && data?.part !== undefined ? mergePart(measurements, data.part, data.answer.items) : measurements),
    [isWanted, data, measurements],
  );
  if (!isWanted) return { ...whole, detail: "whole" };
  const isLoaded = data !== undefined && !isPlaceholderData && zoom === settled;
  if (isLoaded) return { measurements: merged, leftOut: data.answer.leftOut ?? [], detail: "part" };
  return { measurements: merged, leftOut: whole.leftOut, detail: error === null ? "loading" : "failed" };
}

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
