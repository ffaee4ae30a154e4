import { expect, it } from "vitest";
import { differInInterval, placeByNumber } from "#components/charts/place-series.ts";

const every = (stepMs: number, count: number, startMs = 0) =>
  Array.from({ length: count }, (_, index) => ({ seq: index + 1, atMs: startMs + index * stepMs }));

it.each([
  { name: "minutes and seconds", one: every(180_000, 10), other: every(2_000, 7), differs: true },
  { name: "seconds and minutes", one: every(2_000, 7), other: every(180_000, 10), differs: true },
  { name: "up to twice as long", one: every(2_000, 7), other: every(4_000, 7), differs: false },
  {
    name: "one late measurement",
    one: every(2_000, 7),
    other: [...every(2_000, 6), { seq: 7, atMs: 90_000 }],
    differs: false,
  },
  {
    name: "lost measurements",
    one: every(2_000, 7),
    other: every(2_000, 21).filter(({ seq }) => seq % 3 === 1),
    differs: false,
  },
  {
    name: "a single measurement, whose interval is unknown",
    one: every(2_000, 1),
    other: every(180_000, 5),
    differs: false,
  },
  { name: "all of one moment, and seconds", one: every(0, 3), other: every(2_000, 3), differs: true },
])("tells intervals that differ: $name", ({ one, other, differs }) => {
  expect(differInInterval(one, other)).toBe(differs);
});

it("places measurements by their number, beyond the last one at the same interval", () => {
  const own = [
    { seq: 1, atMs: 1_000 },
    { seq: 2, atMs: 3_000 },
    { seq: 3, atMs: 5_500 },
  ];
  expect(placeByNumber(every(180_000, 5), own).map(({ atMs }) => atMs)).toEqual([1_000, 3_000, 5_500, 8_000, 10_500]);
});
