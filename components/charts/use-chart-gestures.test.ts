import { describe, expect, it } from "vitest";
import { computePlot } from "#components/charts/plot.ts";
import { hitPoint } from "#components/charts/use-chart-gestures.ts";

const points = [
  { atMs: 0, value: 0 },
  { atMs: 50_000, value: 1 },
  { atMs: 51_000, value: 1 },
  { atMs: 100_000, value: undefined },
];
const plot = computePlot({ width: 600, timeDomain: [0, 100_000], valueDomain: [0, 1], labelLength: 0 });
const placeOfFirst = { left: plot.x(0), top: plot.y(0) };

describe("hitPoint", () => {
  it.each([
    { name: "the one under the pointer", at: placeOfFirst, hit: 0 },
    { name: "one that is near", at: { left: plot.x(0) + 6, top: plot.y(0) - 6 }, hit: 0 },
    { name: "the nearest of two", at: { left: plot.x(51_000) + 1, top: plot.y(1) }, hit: 2 },
    { name: "none at its time, but at another height", at: { left: plot.x(50_000), top: plot.y(0.5) }, hit: -1 },
    { name: "one without a value, at the bottom edge", at: { left: plot.x(100_000), top: plot.bottom - 5 }, hit: 3 },
  ])("finds $name", ({ at, hit }) => {
    expect(hitPoint(points, at, plot)).toBe(hit);
  });

  it("finds none that is out of view", () => {
    const zoomed = computePlot({ width: 600, timeDomain: [60_000, 90_000], valueDomain: [0, 1], labelLength: 0 });
    expect(hitPoint(points, { left: zoomed.x(51_000), top: zoomed.y(1) }, zoomed)).toBe(-1);
  });
});
