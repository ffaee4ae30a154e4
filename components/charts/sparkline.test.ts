import { describe, expect, it } from "vitest";
import { hasShape, prepareSparkline } from "#components/charts/sparkline.tsx";

const size = { width: 100, height: 20 };

it.each([
  { values: [], drawn: false },
  { values: [null, null], drawn: false },
  { values: [null, Number.NaN], drawn: false },
  { values: [null, 0], drawn: true },
])("draws $values: $drawn", ({ values, drawn }) => {
  expect(hasShape(values)).toBe(drawn);
});

describe("prepareSparkline", () => {
  it("draws extremes at the edges", () => {
    expect(prepareSparkline([0, 10], size)).toEqual({
      paths: ["M5 15L95 5"],
      last: { x: 95, y: 5 },
      holes: [],
      lines: [],
    });
  });

  it("shares a scale with others", () => {
    expect(prepareSparkline([0, 10], size, [], [20]).last).toEqual({ x: 95, y: 10 });
  });

  it("includes thresholds in the scale, and draws them at their values", () => {
    const { last, lines } = prepareSparkline([0.9, 0.9], size, [0.95, 0.85]);
    expect(last).toEqual({ x: 95, y: 10 });
    expect(lines).toEqual([5, 15]);
  });

  it("interrupts the path at a missing number", () => {
    const { paths, holes } = prepareSparkline([1, 2, null, 3, 4], size);
    expect(paths).toHaveLength(2);
    expect(holes).toEqual([50]);
  });

  it.each([
    { name: "a constant in the middle", values: [7, 7], last: { x: 95, y: 10 } },
    { name: "a single value in the middle", values: [7], last: { x: 50, y: 10 } },
    { name: "nothing", values: [], last: undefined },
    { name: "only holes", values: [null, null], last: undefined },
    { name: "huge values", values: [-1e308, 0], last: { x: 95, y: 5 } },
  ])("draws $name", ({ values, last }) => {
    expect(prepareSparkline(values, size).last).toEqual(last);
  });
});
