import { createContext, useContext, useSyncExternalStore } from "react";
import { type ChartCursor, createChartCursor } from "#components/charts/chart-cursor.ts";

/** The cursor of the page's charts; components outside of the charts get one that never moves. */
export const ChartCursorContext = createContext<ChartCursor>(createChartCursor());

/** Returns the cursor, without following it. */
export function useChartCursor(): ChartCursor {
  return useContext(ChartCursorContext);
}

/** Follows whether a measurement is pointed at, in its chart or in another one at the same time. */
export function useIsPointedAt(metric: string, seq: number): boolean {
  const cursor = useChartCursor();
  return useSyncExternalStore(
    cursor.subscribe,
    () => cursor.seqOf(metric) === seq,
    () => false,
  );
}

/** Follows the time that is pointed at; undefined if nothing is. */
export function useCursorTime(): number | undefined {
  const cursor = useChartCursor();
  return useSyncExternalStore(
    cursor.subscribe,
    () => cursor.get()?.atMs,
    () => undefined,
  );
}

/** Follows the measurement of a metric that is pointed at, by its number. */
export function usePointedSeq(metric: string): number | undefined {
  const cursor = useChartCursor();
  return useSyncExternalStore(
    cursor.subscribe,
    () => cursor.seqOf(metric),
    () => undefined,
  );
}

/** Follows which metric is pointed at itself: that one shows the details. */
export function usePointedMetric(): string | undefined {
  const cursor = useChartCursor();
  return useSyncExternalStore(
    cursor.subscribe,
    () => cursor.get()?.metric,
    () => undefined,
  );
}
