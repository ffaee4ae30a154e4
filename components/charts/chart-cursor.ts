import { createContext, useContext, useSyncExternalStore } from "react";

type Place = { seq: number; atMs: number };

/** The one moment that is pointed at on a page of charts. */
export type CursorPlace = {
  atMs: number;
  /** The metric that is pointed at. */
  metric: string;
  /** Its measurement. */
  seq: number;
};

type ChartCursor = ReturnType<typeof createChartCursor>;

/**
 * Holds the measurement that is pointed at, for all charts and tables of a page. Not React state: a pointer moves
 * often, and only components that draw the cursor may follow it.
 */
export function createChartCursor() {
  const listeners = new Set<() => void>();
  const places = new Map<string, readonly Place[]>();
  let current: CursorPlace | undefined;
  const set = (next: CursorPlace | undefined) => {
    if (next?.atMs === current?.atMs && next?.metric === current?.metric && next?.seq === current?.seq) return;
    current = next;
    for (const listener of listeners) listener();
  };
  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    get: () => current,
    set,
    clear: () => set(undefined),
    /** Registers a metric's measurements; returns a function that removes them. */
    register: (metric: string, points: readonly Place[]) => {
      places.set(metric, points);
      return () => {
        if (places.get(metric) === points) places.delete(metric);
      };
    },
    /** Returns the measurement that is pointed at; for other metrics the nearest in time. */
    seqOf: (metric: string): number | undefined => {
      if (current === undefined) return undefined;
      if (current.metric === metric) return current.seq;
      const points = places.get(metric) ?? [];
      return points[findNearest(points, current.atMs)]?.seq;
    },
  };
}

/** Finds the point nearest in time, the first of several; -1 without points. */
export function findNearest(points: readonly { atMs: number }[], atMs: number): number {
  let nearest = -1;
  let least = Number.POSITIVE_INFINITY;
  points.forEach((point, index) => {
    const distance = Math.abs(point.atMs - atMs);
    if (distance < least) {
      least = distance;
      nearest = index;
    }
  });
  return nearest;
}

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
