import { expect, it } from "vitest";
import { placeBeside } from "#components/charts/place-series.ts";

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
])("places by number only if the intervals differ: $name", ({ one, other, differs }) => {
  expect(placeBeside(one, [{ points: other, shiftMs: 0 }]).isByNumber).toBe(differs);
});

it("moves all series to the start of the other one, or places all by number", () => {
  const own = every(2_000, 3, 60_000);
  const timesOf = (...steps: number[]) =>
    placeBeside(
      own,
      steps.map((step) => ({ points: every(step, 3), shiftMs: 60_000 })),
    ).placed.map((points) => points.map(({ atMs }) => atMs - 60_000));
  expect(timesOf(2_000, 3_000)).toEqual([
    [0, 2_000, 4_000],
    [0, 3_000, 6_000],
  ]);
  expect(timesOf(2_000, 180_000)).toEqual([
    [0, 2_000, 4_000],
    [0, 2_000, 4_000],
  ]);
});

it("places measurements by their number, beyond the last one at the same interval", () => {
  const own = [
    { seq: 1, atMs: 1_000 },
    { seq: 2, atMs: 3_000 },
    { seq: 3, atMs: 5_500 },
  ];
  const { placed } = placeBeside(own, [{ points: every(180_000, 5), shiftMs: 0 }]);
  expect(placed.flat().map(({ atMs }) => atMs)).toEqual([1_000, 3_000, 5_500, 8_000, 10_500]);
});

it("places what lies between two measurements by the nearer one", () => {
  const own = [
    { seq: 1, atMs: 1_000 },
    { seq: 5, atMs: 5_000 },
    { seq: 9, atMs: 13_000 },
  ];
  const points = [0, 2, 3, 4, 9, 10].map((seq) => ({ seq, atMs: seq * 60_000 }));
  const { placed } = placeBeside(own, [{ points, shiftMs: 0 }]);
  // The usual interval of `own` is 2 s.
  expect(placed.flat().map(({ atMs }) => atMs)).toEqual([-1_000, 3_000, 5_000, 3_000, 13_000, 15_000]);
});

it("looks at each measurement a few times only, however many there are", () => {
  let looks = 0;
  const count = 2_000;
  const watch = <Item extends object>(items: Item[]) =>
    new Proxy(items, {
      get: (target, key, receiver) => {
        if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
        return Reflect.get(target, key, receiver);
      },
    });
  placeBeside(watch(every(2_000, count)), [{ points: watch(every(180_000, count)), shiftMs: 0 }]);
  expect(looks).toBeLessThan(30 * count);
});
