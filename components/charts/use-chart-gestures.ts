import { useRef, useState } from "react";
import { findNearest } from "#components/charts/chart-cursor.ts";
import type { Domain } from "#components/charts/chart-scale.ts";
import { brush, pan, reveal, zoomAround } from "#components/charts/chart-zoom.ts";
import { moveIndex } from "#components/charts/describe-point.ts";
import type { Plot } from "#components/charts/plot.ts";
import type { ChartPoint } from "#components/charts/prepare-metric-chart.ts";
import { useChartCursor } from "#components/charts/use-chart-cursor.ts";

/** What is shown of the time axis; undefined: all of it. */
export type Zoom = { zoom: Domain | undefined; full: Domain; onZoom: (zoom: Domain | undefined) => void };

type Gestures = Zoom & { metric: string; points: readonly ChartPoint[]; active: number; plot: Plot };

/** A shorter drag is a click whose hand trembled. */
const leastDrag = 6;

/** Moves the cursor and the zoom of a chart by pointer and by keyboard. */
export function useChartGestures({ metric, points, active, plot, zoom, full, onZoom }: Gestures) {
  const cursor = useChartCursor();
  const [dragged, setDragged] = useState<readonly [number, number]>();
  const dragStart = useRef<number>(undefined);
  const shown = zoom ?? full;

  function pointAt(index: number): void {
    const point = points[index];
    if (point !== undefined) cursor.set({ metric, seq: point.seq, atMs: point.atMs });
  }

  function leftOf(event: React.PointerEvent): number {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return Math.min(plot.right, Math.max(plot.left, left));
  }

  function move(event: React.PointerEvent): void {
    // A page that moves below a resting pointer is not somebody pointing.
    if (event.movementX === 0 && event.movementY === 0) return;
    const left = leftOf(event);
    const start = dragStart.current;
    if (start !== undefined && Math.abs(left - start) >= leastDrag) setDragged([start, left]);
    pointAt(findNearest(points, plot.timeAt(left)));
  }

  function down(event: React.PointerEvent): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = leftOf(event);
    pointAt(findNearest(points, plot.timeAt(leftOf(event))));
  }

  function endDrag(): void {
    dragStart.current = undefined;
    setDragged(undefined);
  }

  function up(): void {
    if (dragged !== undefined) onZoom(brush(plot.timeAt(dragged[0]), plot.timeAt(dragged[1]), full));
    endDrag();
  }

  function zoomBy(factor: number): void {
    const middle = (shown[0] + shown[1]) / 2;
    const at = points[active]?.atMs ?? middle;
    onZoom(zoomAround(shown, full, { atMs: at >= shown[0] && at <= shown[1] ? at : middle, factor }));
  }

  /** Returns whether the key zooms. */
  function pressZoom({ key, shiftKey }: React.KeyboardEvent): boolean {
    if (key === "+" || key === "=") zoomBy(0.5);
    else if (key === "-" || key === "_") zoomBy(2);
    else if (key === "0" || (key === "Escape" && dragged === undefined)) {
      if (zoom === undefined) return false;
      onZoom(undefined);
    } else if (shiftKey && (key === "ArrowLeft" || key === "ArrowRight"))
      onZoom(pan(shown, full, key === "ArrowLeft" ? -0.25 : 0.25));
    else return false;
    return true;
  }

  function press(event: React.KeyboardEvent): void {
    if (event.key === "Escape" && dragged !== undefined) endDrag();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (pressZoom(event)) {
      event.preventDefault();
      return;
    }
    const next = moveIndex(event.key, active, points.length);
    const point = next === undefined ? undefined : points[next];
    if (next === undefined || point === undefined) return;
    event.preventDefault();
    pointAt(next);
    if (zoom !== undefined) onZoom(reveal(zoom, full, point.atMs));
  }

  return {
    /** What is being dragged over, in pixels. */
    dragged,
    handlers: {
      onPointerMove: move,
      onPointerDown: down,
      onPointerUp: up,
      onPointerCancel: endDrag,
      onPointerLeave: (event: React.PointerEvent) => event.currentTarget.matches(":focus-visible") || cursor.clear(),
      onFocus: (event: React.FocusEvent) =>
        event.currentTarget.matches(":focus-visible") && active === -1 && pointAt(points.length - 1),
      onBlur: cursor.clear,
      onKeyDown: press,
    },
  };
}
