import { useDebouncedValue } from "@mantine/hooks";
import { useMemo } from "react";
import type { Domain } from "#components/charts/chart-scale.ts";
import { mergePart, partInView } from "#components/charts/merge-part.ts";
import { usePartMeasurements } from "#lib/client/run-queries.ts";
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
