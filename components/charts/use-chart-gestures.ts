import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { findNearest, useChartCursor } from "#components/charts/chart-cursor.ts";
import type { Domain } from "#components/charts/chart-scale.ts";
import { brush, pan, reveal, zoomAround } from "#components/charts/chart-zoom.ts";
import { moveIndex } from "#components/charts/describe-point.ts";
import { placeOf } from "#components/charts/metric-marks.tsx";
import type { Plot } from "#components/charts/plot.ts";
import type { ChartPoint } from "#components/charts/prepare-metric-chart.ts";
import { withBasePath } from "#lib/client/base-path.ts";

/** `zoom`: the shown range of the time axis; undefined: the whole. */
export type Zoom = { zoom: Domain | undefined; full: Domain; onZoom: (zoom: Domain | undefined) => void };

type Gestures = Zoom & {
  metric: string;
  points: readonly ChartPoint[];
  active: number;
  plot: Plot;
  /** Returns the link of a point; undefined if it has none. */
  hrefOf: (point: ChartPoint) => string | undefined;
};

/** A shorter drag, in pixels, is a click with a trembling hand. */
const leastDrag = 6;

/** Moves the cursor and the zoom of a chart by pointer and by keyboard, and follows the links of its points. */
export function useChartGestures({ metric, points, active, plot, zoom, full, onZoom, hrefOf }: Gestures) {
  const cursor = useChartCursor();
  const router = useRouter();
  const [dragged, setDragged] = useState<readonly [number, number]>();
  const dragStart = useRef<number>(undefined);
  /** The point that was pointed at before a press: a finger cannot hover, so its first tap only shows the details. */
  const activeBefore = useRef(-1);
  const shown = zoom ?? full;

  function pointAt(index: number): void {
    const point = points[index];
    if (point !== undefined) cursor.set({ metric, seq: point.seq, atMs: point.atMs });
  }

  function leftOf(event: React.PointerEvent): number {
    const left = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return Math.min(plot.right, Math.max(plot.left, left));
  }

  function hrefAt(event: React.PointerEvent): { href: string; index: number } | undefined {
    const box = event.currentTarget.getBoundingClientRect();
    const index = hitPoint(points, { left: event.clientX - box.left, top: event.clientY - box.top }, plot);
    const point = points[index];
    const href = point === undefined ? undefined : hrefOf(point);
    return href === undefined ? undefined : { href, index };
  }

  function move(event: React.PointerEvent): void {
    // Ignores a page that scrolls under a resting pointer.
    if (event.movementX === 0 && event.movementY === 0) return;
    const left = leftOf(event);
    const start = dragStart.current;
    if (start !== undefined && Math.abs(left - start) >= leastDrag) setDragged([start, left]);
    event.currentTarget.toggleAttribute("data-link", hrefAt(event) !== undefined);
    pointAt(findNearest(points, plot.timeAt(left)));
  }

  function down(event: React.PointerEvent): void {
    if (event.button !== 0) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    dragStart.current = leftOf(event);
    activeBefore.current = active;
    pointAt(findNearest(points, plot.timeAt(leftOf(event))));
  }

  function endDrag(): void {
    dragStart.current = undefined;
    setDragged(undefined);
  }

  function up(event: React.PointerEvent): void {
    const start = dragStart.current;
    const left = leftOf(event);
    endDrag();
    if (start === undefined) return;
    // A busy browser may not have drawn the drag yet.
    if (dragged === undefined && Math.abs(left - start) < leastDrag) click(event);
    else onZoom(brush(plot.timeAt(start), plot.timeAt(left), full));
  }

  function click(event: React.PointerEvent): void {
    const found = hrefAt(event);
    if (found === undefined) return;
    if (event.pointerType === "touch" && activeBefore.current !== found.index) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey) window.open(withBasePath(found.href), "_blank", "noopener");
    else router.push(found.href);
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
    const chosen = points[active];
    const href = event.key === "Enter" && chosen !== undefined ? hrefOf(chosen) : undefined;
    if (href !== undefined) {
      event.preventDefault();
      router.push(href);
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
    /** The range being dragged over, in pixels. */
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

/** How far from the center of a point a click still hits it, in pixels. */
const reach = 10;

/** Finds the point drawn at a position of a chart, in pixels; -1 if no point is there. */
export function hitPoint(
  points: readonly Pick<ChartPoint, "atMs" | "value">[],
  { left, top }: { left: number; top: number },
  plot: Plot,
): number {
  let hit = -1;
  let least = reach;
  points.forEach((point, index) => {
    const x = plot.x(point.atMs);
    if (x < plot.left - 1 || x > plot.right + 1) return;
    const distance = Math.hypot(left - x, top - placeOf(point, plot));
    if (distance > least) return;
    least = distance;
    hit = index;
  });
  return hit;
}
