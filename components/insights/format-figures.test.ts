import { describe, expect, it } from "vitest";
import {
  explainNoComparison,
  formatBefore,
  formatDistance,
  formatFrequency,
  formatInterval,
  formatLength,
  formatShare,
  summariseReleases,
} from "./format-figures.ts";
import { prepareDayChart } from "./prepare-day-chart.ts";

describe("a share in percent", () => {
  it.each([
    [null, "unknown"],
    [0, "0 %"],
    [0.0004, "under 0.1 %"],
    [0.004, "0.4 %"],
    [0.0834, "8.3 %"],
    [0.5, "50 %"],
    [0.996, "99.6 %"],
    [0.9995, "over 99.9 %"],
    [1, "100 %"],
  ])("%s is %s", (share, text) => {
    expect(formatShare(share)).toBe(text);
  });
});

it.each([
  [null, "unknown", ""],
  [0, "0", "per day"],
  [12.4, "12", "per day"],
  [1.25, "1.3", "per day"],
  [0.5, "3.5", "per week"],
  [0.1, "3", "per 30 days"],
])("%s promotions per day are %s %s", (perDay, value, unit) => {
  expect(formatFrequency(perDay)).toEqual({ value, unit });
});

it("says the interval of few cases only", () => {
  expect(formatInterval({ count: 2, of: 3, rate: 2 / 3, low: 0.2077, high: 0.9385 })).toBe(
    "few cases: 95 % interval 21 to 94 %",
  );
  expect(formatInterval({ count: 2, of: 30, rate: 2 / 30, low: 0, high: 1 })).toBeUndefined();
  expect(formatInterval({ count: 0, of: 0, rate: null, low: null, high: null })).toBeUndefined();
});

it("does not compare with what was not recorded", () => {
  expect(formatBefore("3 %", "3 %")).toBe("the same before");
  expect(formatBefore("3 %", "4 %")).toBe("before: 4 %");
});

it.each([
  [null, "unknown"],
  [0, "0 s"],
  [0.01, "under 0.1 s"],
  [90, "1 min 30 s"],
])("a length of %s is %s", (seconds, text) => {
  expect(formatLength(seconds)).toBe(text);
});

it.each([
  [0, null, "0"],
  [0.01234, null, "0.0123"],
  [0.0000001, null, "1.0e-7"],
  [1234.5, null, "1230"],
  [1234.5, "ms", "1230\u2009ms"],
  [0.0234, "ratio", "2.34 points"],
  [0.01, "ratio", "1 point"],
  [0, "%", "0 points"],
])("a distance of %s with unit %s is %s", (distance, unit, text) => {
  expect(formatDistance(distance, unit)).toBe(text);
});

describe("the chart of days", () => {
  const day = (name: string, counts: Partial<Record<"promoted" | "aborted" | "open", number>>) => ({
    ...{ day: name, from: `${name}T00:00:00.000Z`, to: `${name}T23:00:00.000Z` },
    ...{ promoted: 0, aborted: 0, superseded: 0, unknown: 0, open: 0, ...counts },
  });
  const scope = { from: "2026-03-01T00:00:00Z", to: "2026-03-03T00:00:00Z", cluster: "eu" };
  const draw = (days: ReturnType<typeof day>[]) => prepareDayChart(days, scope, { width: 300, height: 100 });

  it("stacks the outcomes from the bottom, and leaves a day without releases empty", () => {
    const { bars, lines } = draw([day("2026-03-01", { promoted: 3, aborted: 1 }), day("2026-03-02", {})]);
    expect(lines.map(({ count }) => count)).toEqual([0, 1, 2, 3, 4]);
    expect(bars[0]?.parts).toEqual([
      { outcome: "promoted", y: 25, height: 75 },
      { outcome: "aborted", y: 0, height: 25 },
    ]);
    expect(bars[0]?.title).toBe("1 Mar: 3 promoted, 1 aborted");
    expect(bars[1]).toMatchObject({ parts: [], total: 0, title: "2 Mar: no release" });
  });

  it("leads from a bar to the releases of its day", () => {
    const { bars } = draw([day("2026-03-01", { promoted: 1 })]);
    const { pathname, searchParams } = new URL(bars[0]?.href ?? "", "http://localhost");
    expect(pathname).toBe("/releases");
    expect(Object.fromEntries(searchParams)).toEqual({
      ...{ cluster: "eu", from: "2026-03-01T00:00:00.000Z", to: "2026-03-01T23:00:00.000Z" },
    });
  });

  it.each([
    [1, [0, 1]],
    [9, [0, 5, 10]],
    [130, [0, 50, 100, 150]],
  ])("draws few lines, of whole numbers, for %s releases", (promoted, counts) => {
    expect(draw([day("2026-03-01", { promoted })]).lines.map(({ count }) => count)).toEqual(counts);
  });
});

describe("the sentence about a period", () => {
  const period = { from: "2026-01-01T00:00:00Z", to: "2026-01-31T00:00:00Z" };
  const rate = (count: number, of: number) => ({
    count,
    of,
    rate: of === 0 ? null : count / of,
    low: null,
    high: null,
  });
  const none = { count: 0, median: null, p90: null };
  const figures = (count: number, of: number, waited = 0) => ({
    ...{ releases: of + 1, promoted: of - count, aborted: count, superseded: 0, unknown: 0, open: 1, undone: 0 },
    ...{ aborts: rate(count, of), inconclusive: rate(0, of), changeFailure: rate(count, of), perDay: 1 },
    ...{ leadTime: { ...none, unknown: 0 }, recovery: { ...none, open: 0 } },
    waiting: { ...none, count: waited, unknown: 0, ended: of, totalSeconds: waited * 60, frozenSeconds: 0 },
  });

  it.each([
    [
      "a trend",
      figures(6, 72, 6),
      figures(12, 100),
      "72 releases ended in 30 days. 6 failed (8.3 %, down from 12 %). 6 waited for a person, 6 min in total.",
    ],
    ["a bad trend", figures(1, 2), figures(0, 2), "2 releases ended in 30 days. 1 failed (50 %, up from 0 %)."],
    [
      "the same",
      figures(0, 2),
      figures(0, 9),
      "2 releases ended in 30 days. None failed (0 %, as in the period before).",
    ],
    ["no record of the period before", figures(1, 1), null, "1 release ended in 30 days. 1 failed (100 %)."],
    ["nothing ended", figures(0, 0), null, "1 release began in 30 days. None has ended."],
  ])("says %s", (_, now, before, sentence) => {
    expect(summariseReleases({ period, figures: now, before })).toBe(sentence);
  });

  const since = (recordedSince: string | null, before: ReturnType<typeof figures> | null = null) =>
    explainNoComparison({ period, recordedSince, before });

  it("says since when there are data if the period before is not recorded", () => {
    expect(since("2025-12-12T12:00:00.000Z")).toBe(
      "No data before 12 Dec 2025, so there is no comparison with the 30 days before.",
    );
  });

  it.each([
    ["nothing is recorded", since(null)],
    ["the record begins within the period", since("2026-01-10T12:00:00.000Z")],
    ["the period before is recorded", since("2025-11-01T00:00:00.000Z", figures(0, 1))],
  ])("explains no missing comparison if %s", (_, explained) => {
    expect(explained).toBe("");
  });
});
