import { describe, expect, it } from "vitest";
import { computeIncreases, sumIncreases } from "./increases.ts";
import { estimateQuantile } from "./quantile.ts";

const points = (...values: [number, number][]) => values.map(([at, value]) => ({ at, value }));

const counters: { name: string; points: ReturnType<typeof points>; marks?: number[]; rose: number[] }[] = [
  { name: "nothing", points: [], rose: [] },
  { name: "one value, of which nothing is known before", points: points([0, 5000]), rose: [] },
  { name: "a first value without an earlier scrape", points: points([10, 5000]), marks: [10, 25], rose: [] },
  {
    name: "a counter that appears after a scrape",
    points: points([25, 40], [40, 41]),
    marks: [10, 25, 40],
    rose: [40, 1],
  },
  { name: "rising values", points: points([0, 5], [15, 7], [30, 7]), rose: [2, 0] },
  { name: "a restart", points: points([0, 500], [15, 3], [30, 4]), rose: [3, 1] },
  { name: "a restart at 0", points: points([0, 500], [15, 0], [30, 4]), rose: [0, 4] },
];

describe("increases of a counter", () => {
  it.each(counters)("$name", ({ points: given, marks, rose }) => {
    expect(computeIncreases(given, marks).map(({ value }) => value)).toEqual(rose);
  });

  it("count in part if they began before", () => {
    const increases = computeIncreases(points([0, 0], [10, 10], [20, 30]));
    expect([0, 5, 10, 15, 20].map((since) => sumIncreases(increases, since))).toEqual([30, 25, 20, 10, 0]);
  });
});

const buckets = (...counts: [number, number][]) => counts.map(([le, count]) => ({ le, count }));
const infinite = Number.POSITIVE_INFINITY;

const quantiles: { name: string; buckets: ReturnType<typeof buckets>; share: number; is: unknown }[] = [
  { name: "no buckets", buckets: [], share: 0.5, is: undefined },
  { name: "no counts", buckets: buckets([1, 0], [infinite, 0]), share: 0.5, is: undefined },
  { name: "no infinite bucket", buckets: buckets([1, 5]), share: 0.5, is: undefined },
  {
    name: "the first bucket",
    buckets: buckets([1, 10], [infinite, 10]),
    share: 0.5,
    is: { value: 0.5, from: 0, to: 1 },
  },
  {
    name: "the middle of a bucket, in any order",
    buckets: buckets([infinite, 20], [1, 10], [2, 20]),
    share: 0.75,
    is: { value: 1.5, from: 1, to: 2 },
  },
  {
    name: "the last bucket: the least that it can be",
    buckets: buckets([1, 1], [infinite, 10]),
    share: 0.99,
    is: { value: 1, from: 1, to: infinite },
  },
];

describe("a quantile of a histogram", () => {
  it.each(quantiles)("$name", ({ buckets: given, share, is }) => {
    expect(estimateQuantile(given, share)).toEqual(is);
  });
});
