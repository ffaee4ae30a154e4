import { describe, expect, it } from "vitest";
import { computeIncreases, countBelow, sumIncreases } from "./increases.ts";
import { estimateQuantile } from "./quantile.ts";

const points = (...values: [number, number][]) => values.map(([at, value]) => ({ at, value }));

const minute = 60_000;
const everyMinutes = (step: number, to: number) => Array.from({ length: to / step + 1 }, (_, index) => index * step);
/** In minutes; `starts`: when a start was seen, and the start. */
type Case = {
  name: string;
  points: [at: number, value: number][];
  marks?: number[];
  starts?: [at: number, start: number][];
  from?: number;
  silent?: number;
  rose: [from: number, to: number, value: number][];
};
const processes: Case[] = [
  {
    name: "that reappears hours after a restart, with less than before",
    points: [
      [0, 90],
      [5, 90],
      [9, 90],
      [200, 40],
    ],
    ...{
      marks: everyMinutes(1, 200),
      starts: [
        [0, -50],
        [10, 9.5],
      ],
    },
    rose: [
      [0, 5, 0],
      [5, 9, 0],
      [199, 200, 40],
    ],
  },
  {
    name: "that reappears hours after a restart, with more than before",
    points: [
      [0, 5],
      [5, 5],
      [9, 5],
      [200, 40],
    ],
    ...{
      marks: everyMinutes(1, 200),
      starts: [
        [0, -50],
        [10, 9.5],
      ],
    },
    rose: [
      [0, 5, 0],
      [5, 9, 0],
      [199, 200, 40],
    ],
  },
  {
    name: "that reappears hours later, of a process that does not say when it began",
    points: [
      [0, 5],
      [200, 40],
    ],
    marks: everyMinutes(1, 200),
    rose: [[199, 200, 40]],
  },
  {
    name: "of which nothing was stored because it stayed the same",
    points: [
      [0, 5],
      [5, 5],
      [10, 8],
    ],
    marks: everyMinutes(1, 10),
    rose: [
      [0, 5, 0],
      [5, 10, 3],
    ],
  },
  {
    name: "while nobody looked",
    points: [
      [0, 5],
      [200, 40],
    ],
    marks: [0, 200],
    rose: [[0, 200, 35]],
  },
  {
    name: "that is the same after a restart while nobody looked",
    points: [
      [0, 5],
      [200, 5],
    ],
    ...{
      marks: [0, 200],
      starts: [
        [0, -50],
        [200, 150],
      ],
    },
    rose: [[0, 200, 5]],
  },
  {
    name: "that began again since the last scrape",
    points: [
      [0, 90],
      [1, 30],
    ],
    ...{
      marks: [0, 1],
      starts: [
        [0, -50],
        [1, 0.5],
      ],
    },
    rose: [[0.5, 1, 30]],
  },
  {
    name: "that falls while its process runs",
    points: [
      [0, 90],
      [1, 30],
      [2, 31],
    ],
    ...{
      marks: [0, 1, 2],
      starts: [
        [0, -50],
        [2, -50],
      ],
    },
    rose: [
      [0, 1, 0],
      [1, 2, 1],
    ],
  },
  {
    name: "of two processes in turn at one address",
    points: [
      [0, 90],
      [1, 30],
      [2, 90],
    ],
    ...{
      marks: [0, 1, 2],
      starts: [
        [0, -50],
        [1, -90],
        [2, -50],
      ],
    },
    rose: [
      [0, 1, 0],
      [1, 2, 60],
    ],
  },
  {
    name: "of a process that has just begun",
    points: [[3, 40]],
    ...{ marks: [3], starts: [[3, 1]] },
    rose: [[1, 3, 40]],
  },
  {
    name: "of a process that has just begun, by a clock that is ahead",
    points: [[3, 40]],
    marks: [3],
    starts: [[3, 4]],
    rose: [[3, 3, 40]],
  },
  { name: "of a process that began long ago", points: [[3, 40]], marks: [3], starts: [[3, -50]], rose: [] },
  {
    name: "that was stored before the points that were read",
    points: [
      [4, 40],
      [5, 41],
    ],
    ...{ marks: everyMinutes(1, 5), from: 0 },
    rose: [[4, 5, 1]],
  },
  {
    name: "that appears in the points that were read",
    points: [[8, 40]],
    ...{ marks: everyMinutes(1, 8), from: 0 },
    rose: [[7, 8, 40]],
  },
  {
    name: "of thin points",
    points: [
      [9, 40],
      [21, 44],
    ],
    ...{ marks: everyMinutes(3, 21), from: 0, silent: 15 },
    rose: [[9, 21, 4]],
  },
];

describe("increases of a counter", () => {
  it.each(processes)("$name", ({ points: given, marks = [], starts = [], from, silent, rose }) => {
    const scaled = given.map(([at, value]) => ({ at: at * minute, value }));
    const increases = computeIncreases(
      scaled,
      {
        marks: marks.map((at) => at * minute),
        starts: starts.map(([at, start]) => ({ at: at * minute, value: start * 60 })),
      },
      {
        ...(from === undefined ? {} : { from: from * minute }),
        ...(silent === undefined ? {} : { silentMs: silent * minute }),
      },
    );
    expect(increases.map((each) => [each.from / minute, each.to / minute, each.value])).toEqual(rose);
  });
});

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

describe("increases", () => {
  it.each(counters)("$name", ({ points: given, marks, rose }) => {
    expect(computeIncreases(given, { marks }).map(({ value }) => value)).toEqual(rose);
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

describe("countBelow", () => {
  it.each<[number[], number, number]>([
    [[], 5, 0],
    [[1, 3, 3, 7], 0, 0],
    [[1, 3, 3, 7], 3, 1],
    [[1, 3, 3, 7], 4, 3],
    [[1, 3, 3, 7], 9, 4],
  ])("of %j, so many are below %i: %i", (sorted, value, count) => {
    expect(countBelow(sorted, value)).toBe(count);
  });
});
