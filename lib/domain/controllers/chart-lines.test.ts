import { describe, expect, it } from "vitest";
import { prepareChartLines } from "./chart-lines.ts";
import type { SeriesSpec } from "./component.ts";

const minute = 60_000;
const spec = (kind: SeriesSpec["kind"]): SeriesSpec => ({ key: "k", label: "K", metrics: ["k"], unit: "count", kind });
const marksOf = (...minutes: number[]) => minutes.map((each) => each * minute);
const everyMinute = marksOf(0, 1, 2, 3, 4, 5, 6);
const window = { from: 0, to: 6 * minute, stepMs: minute };

const points = (...values: [minute: number, value: number][]) =>
  values.map(([at, value]) => ({ at: at * minute, value }));

/** Scrapes at these times. */
const scrapes = (marks: readonly number[]) => ({
  ...{ series: "scrape-duration", labels: {} },
  points: marks.map((at) => ({ at, value: 0.01 })),
});

/** The first line as values, with `-` for a gap. */
function draw(
  kind: SeriesSpec["kind"],
  given: ReturnType<typeof points>,
  marks: readonly number[] = everyMinute,
): string {
  const samples = [scrapes(marks), { series: "k", labels: {}, points: given }];
  const { lines } = prepareChartLines(spec(kind), samples, { window });
  return (lines[0]?.points ?? []).map(({ value }) => value ?? "-").join(" ");
}

const cases: {
  name: string;
  kind: SeriesSpec["kind"];
  given: ReturnType<typeof points>;
  marks?: number[];
  drawn: string;
}[] = [
  { name: "a gauge, until now", kind: "gauge", given: points([0, 5], [2, 7]), drawn: "5 7 7" },
  { name: "a gauge of 0", kind: "gauge", given: points([0, 0]), drawn: "0 0" },
  {
    name: "a gauge with a gap",
    kind: "gauge",
    given: points([0, 5], [6, 7]),
    marks: marksOf(0, 1, 5, 6),
    drawn: "5 - 7",
  },
  {
    name: "a gauge that is not scraped any more",
    kind: "gauge",
    given: points([0, 5]),
    marks: marksOf(0, 1),
    drawn: "5",
  },
  { name: "a counter per minute", kind: "counter", given: points([0, 10], [1, 12], [6, 22]), drawn: "2 2 2 2 2 2" },
  { name: "a counter that stands still", kind: "counter", given: points([0, 10], [6, 10]), drawn: "0 0 0 0 0 0" },
  { name: "a restart", kind: "counter", given: points([0, 900], [1, 3]), drawn: "3 0 0 0 0 0" },
  {
    name: "a counter with a gap",
    kind: "counter",
    given: points([0, 0], [6, 12]),
    marks: marksOf(0, 1, 5, 6),
    drawn: "2 - - - - 2",
  },
  { name: "a counter that appears later", kind: "counter", given: points([4, 6]), drawn: "- - - 6 0 0" },
];

describe("a chart", () => {
  it.each(cases)("draws $name", ({ kind, given, marks, drawn }) => {
    expect(draw(kind, given, marks)).toBe(drawn);
  });

  it("estimates percentiles of a histogram, and leaves out steps without counts", () => {
    const series = (le: string, ...values: [number, number][]) => ({
      series: "k",
      labels: { le },
      points: points(...values),
    });
    const { lines } = prepareChartLines(
      spec("histogram"),
      [scrapes(everyMinute), series("1", [0, 0], [1, 10], [6, 10]), series("+Inf", [0, 0], [1, 10], [6, 10])],
      { window },
    );
    expect(lines.map(({ name, points: drawn }) => [name, ...drawn.slice(0, 2).map(({ value }) => value)])).toEqual([
      ["p50", 0.5, null],
      ["p99", 0.99, null],
    ]);
  });

  it.each([
    { name: "a total whose past was not read", from: -11, drawn: "- - - - 2 0" },
    { name: "a counter that was not there for long", from: -60, drawn: "- - - 20 2 0" },
  ])("draws $name", ({ from, drawn }) => {
    const marks = marksOf(-9, -8, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6);
    const samples = [scrapes(marks), { series: "k", labels: {}, points: points([4, 20], [5, 22], [6, 22]) }];
    const completeness = { from: from * minute, silentMs: 15 * minute };
    const { lines } = prepareChartLines(spec("counter"), samples, { window, completeness });
    expect(lines[0]?.points.map(({ value }) => value ?? "-").join(" ")).toBe(drawn);
  });

  it("draws one line of a counter of two processes, and no increase if one of them goes", () => {
    const of = (target: string, ...values: [number, number][]) => ({
      ...{ series: "k", labels: { target, name: "a" }, points: points(...values) },
    });
    const samples = [
      scrapes(everyMinute),
      ...[of("old", [0, 500], [2, 502]), of("new", [1, 10], [2, 12], [6, 12])],
      ...["old", "new"].map((target) => ({
        ...{ series: "process-start", labels: { target } },
        points: points([target === "old" ? 0 : 1, target === "old" ? -3000 : 30]),
      })),
    ];
    const { lines } = prepareChartLines(spec("counter"), samples, { window });
    expect(lines.map(({ name }) => name)).toEqual(["a"]);
    // 1 of the old one, and 10 of the new one, which had just begun; then 1 and 2.
    expect(lines[0]?.points.map(({ value }) => value)).toEqual([11, 3, 0, 0, 0, 0]);
  });

  it("shows the greatest of many lines, and says how many it left out", () => {
    const stored = Array.from({ length: 12 }, (_, index) => ({
      ...{ series: "k", labels: { org: "o", repo: `r${index}` } },
      points: points([0, index]),
    }));
    const { lines, omitted } = prepareChartLines(spec("gauge"), [scrapes(everyMinute), ...stored], { window });
    expect([lines.length, omitted, lines[0]?.name]).toEqual([8, 4, "o/r11"]);
  });
});
