import { type InsightScope, insightReleasesHref } from "#lib/client/insight-links.ts";
import type { ReleaseInsights } from "#lib/contract/insight.ts";

export const outcomes = [
  { key: "promoted", word: "promoted" },
  { key: "aborted", word: "aborted" },
  { key: "superseded", word: "superseded" },
  { key: "open", word: "under way" },
  { key: "unknown", word: "end not observed" },
] as const;
export type Outcome = (typeof outcomes)[number]["key"];

export type DayPart = { outcome: Outcome; y: number; height: number };
export type DayBar = {
  day: string;
  href: string;
  /** Of the whole day; undefined for a day without releases. */
  title: string;
  total: number;
  x: number;
  width: number;
  parts: DayPart[];
};
export type DayChartDrawing = {
  bars: DayBar[];
  /** Heights of whole numbers of releases. */
  lines: { count: number; y: number }[];
  /** Days that are named below the axis. */
  ticks: { x: number; text: string; anchor: "start" | "end" }[];
};

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Formats a day, as in `2026-03-01`, as `1 Mar`. */
export function formatDay(day: string): string {
  return dayFormat.format(new Date(`${day}T00:00:00Z`));
}

/** Places the bars of a chart of so many pixels: outcomes stacked in their order, from the bottom. */
export function prepareDayChart(
  days: ReleaseInsights["days"],
  scope: InsightScope,
  { width, height }: { width: number; height: number },
): DayChartDrawing {
  const totals = days.map((day) => outcomes.reduce((sum, { key }) => sum + day[key], 0));
  const step = stepOf(Math.max(1, ...totals));
  const most = Math.ceil(Math.max(1, ...totals) / step) * step;
  const slot = width / Math.max(1, days.length);
  const gap = slot > 6 ? 2 : slot > 3 ? 1 : 0.5;
  const scale = height / most;
  const every = Math.max(1, Math.ceil(64 / slot));
  return {
    bars: days.map((day, index) => {
      let top = height;
      const parts = outcomes.flatMap(({ key }): DayPart[] => {
        if (day[key] === 0) return [];
        top -= day[key] * scale;
        return [{ outcome: key, y: top, height: day[key] * scale }];
      });
      const said = outcomes.filter(({ key }) => day[key] > 0).map(({ key, word }) => `${day[key]} ${word}`);
      return {
        day: day.day,
        href: insightReleasesHref({ ...scope, from: day.from, to: day.to }),
        title: `${formatDay(day.day)}: ${said.length === 0 ? "no release" : said.join(", ")}`,
        total: totals[index] ?? 0,
        x: index * slot + gap / 2,
        // A period of few days does not make bars as wide as tiles.
        width: Math.min(48, slot - gap),
        parts,
      };
    }),
    lines: Array.from({ length: most / step + 1 }, (_, index) => ({
      count: index * step,
      y: height - index * step * scale,
    })),
    ticks: days.flatMap(({ day }, index) =>
      index % every === 0 ? [placeTick(index * slot + gap / 2, width, formatDay(day))] : [],
    ),
  };
}

/** A name that would not fit before the end ends there. */
function placeTick(x: number, width: number, text: string): DayChartDrawing["ticks"][number] {
  return x + 44 > width ? { x: width, text, anchor: "end" } : { x, text, anchor: "start" };
}

/** Returns the distance between lines for at most about four of them: 1, 2, 5, 10, and so on. */
function stepOf(most: number): number {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough) ?? power * 10;
}
