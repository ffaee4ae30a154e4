import { describe, expect, it } from "vitest";
import {
  computeTicks,
  computeValueDomain,
  type Domain,
  fromShare,
  mayUseLog,
  toShare,
} from "#components/charts/chart-scale.ts";

describe("computeValueDomain", () => {
  const cases: { name: string; values: number[]; thresholds: number[]; contains: number[]; leavesOut: number[] }[] = [
    {
      name: "values and threshold",
      values: [0.93, 0.96],
      thresholds: [0.95],
      contains: [0.93, 0.95, 0.96],
      leavesOut: [0.5],
    },
    {
      name: "tiny values against a tiny threshold",
      values: [0.004],
      thresholds: [0.001],
      contains: [0.001, 0.004],
      leavesOut: [1],
    },
    { name: "a constant series", values: [7, 7, 7], thresholds: [], contains: [7], leavesOut: [0] },
    { name: "a constant zero", values: [0, 0], thresholds: [], contains: [0], leavesOut: [-0.5] },
    { name: "a single negative point", values: [-3], thresholds: [], contains: [-3], leavesOut: [0] },
    { name: "no values: the thresholds alone", values: [], thresholds: [0.9], contains: [0.9], leavesOut: [] },
    { name: "nothing at all", values: [], thresholds: [], contains: [0, 1], leavesOut: [] },
    { name: "a threshold far beyond the data", values: [1, 2], thresholds: [1e6], contains: [1, 2], leavesOut: [1e6] },
    { name: "huge values", values: [1e300, 2e300], thresholds: [], contains: [1e300, 2e300], leavesOut: [] },
    {
      name: "what is not finite is left out",
      values: [1, Number.NaN, Number.POSITIVE_INFINITY],
      thresholds: [],
      contains: [1],
      leavesOut: [5],
    },
  ];

  it.each(cases)("$name", ({ values, thresholds, contains, leavesOut }) => {
    const [low, high] = computeValueDomain(values, thresholds);
    expect(low).toBeLessThan(high);
    for (const value of contains) expect(value >= low && value <= high, `${value} in ${low}..${high}`).toBe(true);
    for (const value of leavesOut) expect(value >= low && value <= high, `${value} in ${low}..${high}`).toBe(false);
  });

  it("keeps a constant series off the edges", () => {
    const [low, high] = computeValueDomain([7], []);
    expect(low).toBeLessThan(7);
    expect(high).toBeGreaterThan(7);
  });

  it("takes long series", () => {
    const values = Array.from({ length: 300_000 }, (_, index) => index);
    expect(computeValueDomain(values, [])[1]).toBeGreaterThanOrEqual(299_999);
  });
});

describe("computeTicks", () => {
  const domains: Domain[] = [
    [0, 1],
    [0.93, 0.96],
    [0.0009, 0.0041],
    [0.99991, 0.99999],
    [1e-9, 4e-9],
    [0, 3e9],
    [1_000_000.1, 1_000_000.4],
    [-5, 5],
    [120, 131],
    [0, 250],
  ];

  it.each(domains)("tells its ticks apart on %d to %d", (low, high) => {
    const ticks = computeTicks([low, high]);
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
    const span = high - low;
    for (const { value, text } of ticks) {
      expect(value >= low - span * 1e-6 && value <= high + span * 1e-6).toBe(true);
      expect(Math.abs(Number(text) - value)).toBeLessThan(span / 1_000);
    }
  });

  it("has one tick where there is no range", () => {
    expect(computeTicks([3, 3])).toEqual([{ value: 3, text: "3" }]);
  });
});

describe("compared values", () => {
  it.each([
    { name: "are on the axis", compared: [0.97], contains: 0.97, isIn: true },
    { name: "do not flatten it", compared: [40], contains: 40, isIn: false },
    { name: "need not be numbers", compared: [Number.NaN], contains: 0.95, isIn: true },
  ])("$name", ({ compared, contains, isIn }) => {
    const [low, high] = computeValueDomain([0.93, 0.95], [0.96], { comparedValues: compared });
    expect(contains >= low && contains <= high).toBe(isIn);
  });
});

describe("a logarithmic axis", () => {
  it.each([
    { values: [1, 101], may: true },
    { values: [1, 100], may: false },
    { values: [0, 1_000], may: false },
    { values: [-1, 1_000], may: false },
    { values: [5], may: false },
    { values: [], may: false },
    { values: [0.001, 5, Number.NaN], may: true },
  ])("is offered for $values: $may", ({ values, may }) => {
    expect(mayUseLog(values)).toBe(may);
  });

  it("has room for its values and leaves out what has no place", () => {
    const [low, high] = computeValueDomain([2, 900], [0, 1_500], { kind: "log" });
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThan(2);
    expect(high).toBeGreaterThan(1_500);
    expect(high).toBeLessThan(10_000);
  });

  it.each<Domain>([
    [1, 1_000],
    [0.5, 60],
    [1e-9, 1e9],
    [3, 4_000_000],
  ])("tells its ticks apart on %d to %d", (low, high) => {
    const ticks = computeTicks([low, high], "log");
    expect(ticks.length).toBeGreaterThanOrEqual(3);
    expect(ticks.length).toBeLessThanOrEqual(13);
    expect(new Set(ticks.map(({ text }) => text)).size).toBe(ticks.length);
    for (const { value, text } of ticks) expect(Number(text) / value).toBeCloseTo(1, 9);
  });

  it.each([
    { value: 1, share: 0 },
    { value: 10, share: 1 / 3 },
    { value: 1_000, share: 1 },
  ])("puts $value at $share", ({ value, share }) => {
    expect(toShare(value, [1, 1_000], "log")).toBeCloseTo(share, 9);
    expect(fromShare(share, [1, 1_000], "log")).toBeCloseTo(value, 6);
  });
});
