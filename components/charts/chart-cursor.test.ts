import { expect, it, vi } from "vitest";
import { createChartCursor, findNearest } from "#components/charts/chart-cursor.ts";

const points = [
  { seq: 1, atMs: 0 },
  { seq: 2, atMs: 1_000 },
  { seq: 5, atMs: 4_000 },
];

it.each([
  { atMs: -9, seq: 1 },
  { atMs: 499, seq: 1 },
  { atMs: 2_600, seq: 5 },
  { atMs: 99_999, seq: 5 },
])("the nearest to $atMs is no. $seq", ({ atMs, seq }) => {
  expect(points[findNearest(points, atMs)]?.seq).toBe(seq);
});

it("finds nothing among nothing", () => {
  expect(findNearest([], 5)).toBe(-1);
});

it("points at one measurement of one metric, and at the nearest of the others", () => {
  const cursor = createChartCursor();
  const forget = cursor.register("other", points);
  expect(cursor.seqOf("other")).toBeUndefined();
  cursor.set({ metric: "own", seq: 77, atMs: 3_000 });
  expect(cursor.seqOf("own")).toBe(77);
  expect(cursor.seqOf("other")).toBe(5);
  expect(cursor.seqOf("unheard of")).toBeUndefined();
  forget();
  expect(cursor.seqOf("other")).toBeUndefined();
});

it("tells of a change, and only of a change", () => {
  const cursor = createChartCursor();
  const listener = vi.fn();
  const stop = cursor.subscribe(listener);
  cursor.set({ metric: "m", seq: 1, atMs: 0 });
  cursor.set({ metric: "m", seq: 1, atMs: 0 });
  cursor.set({ metric: "m", seq: 2, atMs: 0 });
  cursor.clear();
  cursor.clear();
  stop();
  cursor.set({ metric: "m", seq: 1, atMs: 0 });
  expect(listener).toHaveBeenCalledTimes(3);
});
