import { formatSeconds } from "#lib/client/format-duration.ts";
import type { Rate, ReleaseInsights } from "#lib/contract/insight.ts";
import { shownUnit, toShown } from "#lib/domain/units/show-value.ts";
import { formatCountOf } from "#lib/util/words.ts";

/** Below this many cases a rate is shown with its interval. */
const few = 30;

/** Formats a share in percent, never as 0 % or 100 % if it is not; "unknown" for a share of nothing. */
export function formatShare(share: number | null): string {
  if (share === null) return "unknown";
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return "under 0.1 %";
  if (percent > 99.9 && percent < 100) return "over 99.9 %";
  return `${percent < 10 ? Math.round(percent * 10) / 10 : keepBelow(Math.round(percent), percent)} %`;
}

/** Never rounds 99.6 % up to 100 %. */
function keepBelow(rounded: number, percent: number): number {
  return rounded === 100 && percent < 100 ? Math.floor(percent * 10) / 10 : rounded;
}

/** Formats the 95 % interval of a rate of few cases; undefined if there are many, or none. */
export function formatInterval({ of, low, high }: Rate): string | undefined {
  if (low === null || high === null || of >= few) return undefined;
  return `few cases: 95 % interval ${Math.round(low * 100)} to ${Math.round(high * 100)} %`;
}

/** Formats a time in seconds; "unknown" if there is none. */
export function formatLength(seconds: number | null): string {
  if (seconds === null) return "unknown";
  return seconds > 0 && seconds < 0.05 ? "under 0.1 s" : formatSeconds(seconds);
}

/** Formats full promotions per day so that the number is easy to say: per day, per week, or per 30 days. */
export function formatFrequency(perDay: number | null): { value: string; unit: string } {
  if (perDay === null) return { value: "unknown", unit: "" };
  if (perDay === 0) return { value: "0", unit: "per day" };
  if (perDay >= 1) return { value: roundTo(perDay), unit: "per day" };
  if (perDay * 7 >= 1) return { value: roundTo(perDay * 7), unit: "per week" };
  return { value: roundTo(perDay * 30), unit: "per 30 days" };
}

function roundTo(value: number): string {
  return String(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
}

/**
 * Formats a distance between values, in their unit if that is known, with three significant digits: a small one does not
 * become zero. Between shares it counts percentage points.
 */
export function formatDistance(distance: number, unit: string | null): string {
  const shown = toShown(distance, unit);
  const digits = shown !== 0 && Math.abs(shown) < 1e-6 ? shown.toExponential(1) : String(Number(shown.toPrecision(3)));
  if (unit === null) return digits;
  const name = shownUnit(unit);
  return name === "%" ? `${digits} ${digits === "1" ? "point" : "points"}` : `${digits}\u2009${name}`;
}

/** Says how a figure was in the period before. */
export function formatBefore(now: string, before: string): string {
  return now === before ? "the same before" : `before: ${before}`;
}

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** Says why figures stand without those of the period before: the record begins within it. Empty if it is compared. */
export function explainNoComparison({
  period,
  recordedSince,
  before,
}: Pick<ReleaseInsights, "period" | "recordedSince" | "before">): string {
  if (before !== null || recordedSince === null || recordedSince > period.from) return "";
  return `No data before ${dayFormat.format(new Date(recordedSince))}, so there is no comparison with the ${formatDays(period)} before.`;
}

function formatDays({ from, to }: ReleaseInsights["period"]): string {
  return formatCountOf(Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)), "day");
}

/** Sums up a period: "72 releases ended in 30 days. 6 failed (8.3 %, down from 12 %). 6 waited for a person, 21 s in total." */
export function summariseReleases({ period, figures, before }: Pick<ReleaseInsights, "period" | "figures" | "before">) {
  const { changeFailure, waiting } = figures;
  const days = formatDays(period);
  if (changeFailure.of === 0) return `${formatCountOf(figures.releases, "release")} began in ${days}. None has ended.`;
  const ended = `${formatCountOf(changeFailure.of, "release")} ended in ${days}.`;
  const rate = `${formatShare(changeFailure.rate)}${describeTrend(changeFailure.rate, before?.changeFailure.rate ?? null)}`;
  const failed = changeFailure.count === 0 ? "None failed" : `${changeFailure.count.toLocaleString("en")} failed`;
  const waited =
    waiting.count === 0
      ? ""
      : ` ${waiting.count.toLocaleString("en")} waited for a person, ${formatLength(waiting.totalSeconds)} in total.`;
  return `${ended} ${failed} (${rate}).${waited}`;
}

function describeTrend(now: number | null, before: number | null): string {
  if (now === null || before === null) return "";
  const was = formatShare(before);
  if (was === formatShare(now)) return ", as in the period before";
  return `, ${now < before ? "down" : "up"} from ${was}`;
}
