import { createZonedFormat } from "#components/ui/zoned-format.ts";

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Formats a duration in one or two units, such as `14 min`, `2 h 5 min`, `3 d 4 h`. */
export function formatDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) {
    const minutes = Math.floor(length / minute);
    const seconds = Math.floor((length % minute) / second);
    return minutes < 10 && seconds > 0 ? `${minutes} min ${seconds} s` : `${minutes} min`;
  }
  if (length < day) {
    const minutes = Math.floor((length % hour) / minute);
    return minutes > 0 ? `${Math.floor(length / hour)} h ${minutes} min` : `${Math.floor(length / hour)} h`;
  }
  const hours = Math.floor((length % day) / hour);
  return hours > 0 && length < 10 * day ? `${Math.floor(length / day)} d ${hours} h` : `${Math.floor(length / day)} d`;
}

/** Formats a duration in seconds, with a tenth while that matters. */
export function formatSeconds(seconds: number): string {
  return seconds < 10 ? `${Math.round(seconds * 10) / 10} s` : formatDuration(seconds * second);
}

/** Formats a time relative to now: `just now`, `14 min ago`, `in 2 min`. Coarser the further away it is. */
export function formatRelative(atMs: number, nowMs: number): string {
  const difference = nowMs - atMs;
  if (Math.abs(difference) < 1.5 * second) return "just now";
  const length = formatDuration(coarsen(Math.abs(difference)));
  return difference > 0 ? `${length} ago` : `in ${length}`;
}

function coarsen(length: number): number {
  if (length < minute) return length;
  if (length < hour) return Math.floor(length / minute) * minute;
  if (length < day) return Math.floor(length / hour) * hour;
  return Math.floor(length / day) * day;
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

const formatClockTime = createZonedFormat({ hour: "2-digit", minute: "2-digit", second: "2-digit" });
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

const dayFormat = new Intl.DateTimeFormat("en-GB", {
  weekday: "short",
  day: "2-digit",
  month: "short",
  year: "numeric",
});

/** Formats a day in the visitor's own zone, such as `Mon, 23 Nov 2026`. */
export function formatDay(atMs: number): string {
  return dayFormat.format(atMs);
}

/** Formats a tick of a time axis: clock time, with the day if the axis spans more than one. */
export function formatTick(atMs: number, spanMs: number): string {
  return spanMs > 20 * hour ? formatDayClock(atMs) : formatClockTime(atMs);
}
