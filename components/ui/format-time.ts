import { createZonedFormat } from "#components/ui/zoned-format.ts";
import { formatCoarsely } from "#lib/client/format-duration.ts";
import type { Gap } from "#lib/contract/analysis-run.ts";

const second = 1_000;
const hour = 3_600 * second;

/** Formats a time relative to now: `just now`, `14 min ago`, `in 2 min`. Coarser the further away it is. */
export function formatRelative(atMs: number, nowMs: number): string {
  const difference = nowMs - atMs;
  if (Math.abs(difference) < 1.5 * second) return "just now";
  const length = formatCoarsely(Math.abs(difference));
  return difference > 0 ? `${length} ago` : `in ${length}`;
}

const secondParts = {
  year: "numeric",
  month: "short",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
} as const;
const formatSecond = createZonedFormat(secondParts);
const formatMillisecond = createZonedFormat({ ...secondParts, fractionalSecondDigits: 3 });

/**
 * Formats date, time and zone, in the chosen zone; to the millisecond, unless it is a whole second, as the
 * cluster writes them.
 */
export function formatExact(at: string): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return at;
  return date.getTime() % second === 0 ? formatSecond(date) : formatMillisecond(date);
}

/** Formats the time between two others, such as `+12.3 s`, `+2 min 5 s` or `−1 s`. */
export function formatOffset(atMs: number, startMs: number): string {
  const tenths = Math.round(Math.abs(atMs - startMs) / 100);
  const sign = atMs < startMs && tenths > 0 ? "\u2212" : "+";
  if (tenths < 600) return `${sign}${tenths % 10 === 0 ? tenths / 10 : (tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(tenths / 10);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor((seconds % 3_600) / 60)];
  return `${sign}${hours > 0 ? `${hours} h ` : ""}${minutes} min ${seconds % 60} s`;
}

const isoTime = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Writes the ISO times of a sentence from the API as all other times are shown. */
export function wordTimes(sentence: string): string {
  return sentence.replaceAll(isoTime, formatExact);
}

export const formatClockTime = createZonedFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
const formatDayClock = createZonedFormat({ day: "2-digit", month: "short", hour: "2-digit", minute: "2-digit" });

const formatDate = createZonedFormat({ year: "numeric", month: "short", day: "2-digit" });
const formatYear = createZonedFormat({ year: "numeric" });
const formatDaySecond = createZonedFormat({
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});
const formatYearMinute = createZonedFormat({
  year: "numeric",
  day: "2-digit",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

/** Formats a time as short as it is clear: the clock time of today, with the day in this year, with the year before. */
export function formatMoment(atMs: number, nowMs: number): string {
  if (formatDate(atMs) === formatDate(nowMs)) return formatClockTime(atMs);
  return formatYear(atMs) === formatYear(nowMs) ? formatDaySecond(atMs) : formatYearMinute(atMs);
}

/** Formats a time of another day, legible at a glance: day and time in this year, the date alone before it. */
export function formatDated(atMs: number, nowMs: number): string {
  return formatYear(atMs) === formatYear(nowMs) ? formatDayClock(atMs) : formatDate(atMs);
}

/** Formats a day in the chosen zone, such as `Mon, 23 Nov 2026`. */
export const formatDay = createZonedFormat({ weekday: "short", day: "2-digit", month: "short", year: "numeric" });

/** Formats a tick of a time axis: clock time, with the day if the axis spans more than one. */
export function formatTick(atMs: number, spanMs: number): string {
  return spanMs > 20 * hour ? formatDayClock(atMs) : formatClockTime(atMs);
}

const formatWeekday = createZonedFormat({ weekday: "short", day: "numeric", month: "short" });
const formatMinute = createZonedFormat({ hour: "2-digit", minute: "2-digit" });

/** Formats a time to come by the person's clock: `14:30`, or `Tue 24 Nov, 09:00` if it is on another day. */
export function formatClock(atMs: number, nowMs: number): string {
  const [day, time] = [formatWeekday(atMs), formatMinute(atMs)];
  // More than a day away the same weekday may come again.
  const isToday = day === formatWeekday(nowMs) && Math.abs(atMs - nowMs) < 86_400_000;
  return isToday ? time : `${day.replace(",", "")}, ${time}`;
}

/** Describes a gap. For an open one, the count is a minimum. */
export function formatGap({ count, open = false }: Gap): string {
  const words = count === 1 ? "1 measurement lost" : `${count} measurements lost`;
  if (!open) return words;
  return count === 0 ? "measurements may be missing here: not observed" : `at least ${words}`;
}
