import type { Budget } from "./budget.ts";
import { runtimeError } from "./errors.ts";
import { GoTime } from "./go-value.ts";

export const monthNames = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

export const weekdayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

const secondNs = 1_000_000_000n;

export type CivilTime = {
  readonly year: number;
  /** Counts from 1. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
};

/** The wall-clock time in the time's own zone, with the zone's offset and short name. */
export type ClockTime = CivilTime & {
  readonly weekday: number;
  readonly offsetSeconds: number;
  readonly zoneName: string;
};

/**
 * Returns the seconds since 1970 of a date and time read as UTC; out-of-range fields carry over as in Go's time.Date.
 */
export function civilToSeconds(civil: Omit<CivilTime, "nanosecond">): bigint {
  const exact = new Date(0);
  exact.setUTCFullYear(civil.year, civil.month - 1, civil.day);
  exact.setUTCHours(civil.hour, civil.minute, civil.second);
  if (Number.isNaN(exact.getTime())) throw runtimeError(`invalid date ${civil.year}`);
  return BigInt(exact.getTime()) / 1000n;
}

/** Returns true if the runtime's IANA database has the zone (Go's time.LoadLocation). */
export function isKnownZone(name: string): boolean {
  return name === "" || name === "UTC" || zoneFormatter(name) !== undefined;
}

/** Returns the offset of a zone from UTC at an instant. */
export function zoneOffset(zone: GoTime["zone"], epochSeconds: bigint): number {
  if (typeof zone !== "string") return zone.offsetSeconds;
  const formatter = isNamedZone(zone) ? zoneFormatter(zone) : undefined;
  if (formatter === undefined) return 0;
  const parts = formatter.formatToParts(new Date(Number(epochSeconds) * 1000));
  const field = (type: string): number => Number(parts.find((part) => part.type === type)?.value ?? 0);
  const civil = { year: field("year"), month: field("month"), day: field("day") };
  const shown = civilToSeconds({ ...civil, hour: field("hour"), minute: field("minute"), second: field("second") });
  return Number(shown - epochSeconds);
}

/** Returns the instant at which a clock in the zone shows this time. */
export function timeAt(civil: CivilTime, zone: GoTime["zone"]): GoTime {
  const asUtc = civilToSeconds(civil);
  const first = asUtc - BigInt(zoneOffset(zone, asUtc));
  const seconds = asUtc - BigInt(zoneOffset(zone, first));
  return new GoTime(seconds * secondNs + BigInt(civil.nanosecond), zone);
}

export function clockOf(time: GoTime): ClockTime {
  const nanosecond = ((time.nanoseconds % secondNs) + secondNs) % secondNs;
  const epochSeconds = (time.nanoseconds - nanosecond) / secondNs;
  const offsetSeconds = zoneOffset(time.zone, epochSeconds);
  const date = new Date((Number(epochSeconds) + offsetSeconds) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    nanosecond: Number(nanosecond),
    weekday: date.getUTCDay(),
    offsetSeconds,
    zoneName: zoneName(time.zone, offsetSeconds),
  };
}

/**
 * Returns the name of a zone. The runtime lacks the abbreviations of Go's database, so named zones show their offset.
 */
function zoneName(zone: GoTime["zone"], offsetSeconds: number): string {
  if (typeof zone !== "string") return zone.name === "" ? formatOffset(offsetSeconds, "") : zone.name;
  return zone === "" || zone === "UTC" || zone === "Local" ? "UTC" : formatOffset(offsetSeconds, "");
}

export function formatOffset(offsetSeconds: number, separator: string): string {
  const total = Math.abs(Math.trunc(offsetSeconds / 60));
  const hours = String(Math.trunc(total / 60)).padStart(2, "0");
  return `${offsetSeconds < 0 ? "-" : "+"}${hours}${separator}${String(total % 60).padStart(2, "0")}`;
}

const layoutTokens =
  /January|Jan|Monday|Mon|MST|2006|Z0700|Z07:00|Z07|-0700|-07:00|-07|[.,](?:0+|9+)(?![0-9])|002|01|02|03|04|05|06|_2|15|PM|pm|1|2|3|4|5/g;

/** Splits a layout of Go's time package into its fields and the text between them. */
export function splitLayout(layout: string): readonly { readonly field?: string; readonly text: string }[] {
  const parts: { field?: string; text: string }[] = [];
  let end = 0;
  for (const match of layout.matchAll(layoutTokens)) {
    if (match.index > end) parts.push({ text: layout.slice(end, match.index) });
    parts.push({ field: match[0], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < layout.length) parts.push({ text: layout.slice(end) });
  return parts;
}

/** Formats a time with a layout such as "2006-01-02" (Go's Time.Format). */
export function formatTime(time: GoTime, layout: string, budget: Budget): string {
  bookClock(time.zone, budget);
  bookLayout(layout, budget);
  const clock = clockOf(time);
  const text = splitLayout(layout)
    .map(({ field, text: between }) => (field === undefined ? between : formatField(clock, field)))
    .join("");
  budget.text(text.length);
  return text;
}

/** Charges for converting a time to its zone. */
export function bookClock(zone: GoTime["zone"], budget: Budget): void {
  budget.spend(isNamedZone(zone) ? zoneSteps : 8);
}

/** Charges for a layout: each field takes a few operations, and may be one character long. */
export function bookLayout(layout: string, budget: Budget): void {
  budget.spend(4 * layout.length);
}

function pad(value: number, width: number, fill = "0"): string {
  return String(value).padStart(width, fill);
}

const hour12 = ({ hour }: ClockTime): number => (hour % 12 === 0 ? 12 : hour % 12);
const zulu = (clock: ClockTime, offset: string): string => (clock.offsetSeconds === 0 ? "Z" : offset);

const fieldFormats: ReadonlyMap<string, (clock: ClockTime) => string> = new Map<string, (clock: ClockTime) => string>([
  ["January", ({ month }) => monthNames[month - 1] ?? ""],
  ["Jan", ({ month }) => monthNames[month - 1]?.slice(0, 3) ?? ""],
  ["Monday", ({ weekday }) => weekdayNames[weekday] ?? ""],
  ["Mon", ({ weekday }) => weekdayNames[weekday]?.slice(0, 3) ?? ""],
  ["MST", ({ zoneName }) => zoneName],
  ["2006", ({ year }) => (year < 0 ? `-${pad(-year, 4)}` : pad(year, 4))],
  ["06", ({ year }) => pad(((year % 100) + 100) % 100, 2)],
  ["01", ({ month }) => pad(month, 2)],
  ["1", ({ month }) => String(month)],
  ["02", ({ day }) => pad(day, 2)],
  ["_2", ({ day }) => pad(day, 2, " ")],
  ["2", ({ day }) => String(day)],
  ["002", (clock) => pad(yearDay(clock), 3)],
  ["15", ({ hour }) => pad(hour, 2)],
  ["03", (clock) => pad(hour12(clock), 2)],
  ["3", (clock) => String(hour12(clock))],
  ["04", ({ minute }) => pad(minute, 2)],
  ["4", ({ minute }) => String(minute)],
  ["05", ({ second }) => pad(second, 2)],
  ["5", ({ second }) => String(second)],
  ["PM", ({ hour }) => (hour >= 12 ? "PM" : "AM")],
  ["pm", ({ hour }) => (hour >= 12 ? "pm" : "am")],
  ["-0700", ({ offsetSeconds }) => formatOffset(offsetSeconds, "")],
  ["-07:00", ({ offsetSeconds }) => formatOffset(offsetSeconds, ":")],
  ["-07", ({ offsetSeconds }) => formatOffset(offsetSeconds, "").slice(0, 3)],
  ["Z0700", (clock) => zulu(clock, formatOffset(clock.offsetSeconds, ""))],
  ["Z07:00", (clock) => zulu(clock, formatOffset(clock.offsetSeconds, ":"))],
  ["Z07", (clock) => zulu(clock, formatOffset(clock.offsetSeconds, "").slice(0, 3))],
]);

function formatField(clock: ClockTime, field: string): string {
  return fieldFormats.get(field)?.(clock) ?? formatFraction(clock.nanosecond, field);
}

function formatFraction(nanosecond: number, field: string): string {
  const digits = pad(nanosecond, 9).slice(0, field.length - 1);
  if (field[1] === "0") return `${field[0]}${digits}`;
  const trimmed = digits.replace(/(?<!0)0+$/, "");
  return trimmed === "" ? "" : `${field[0]}${trimmed}`;
}

export function yearDay({ year, month, day }: Pick<CivilTime, "year" | "month" | "day">): number {
  const start = civilToSeconds({ year, month: 1, day: 1, hour: 0, minute: 0, second: 0 });
  const end = civilToSeconds({ year, month, day, hour: 0, minute: 0, second: 0 });
  return Number((end - start) / 86_400n) + 1;
}

/**
 * Formatters by zone: creating one takes as long as using it fifty times. There are about six hundred zones, which
 * limits the table; names that differ only in case share a zone.
 */
const formatters = new Map<string, Intl.DateTimeFormat>();
const longestName = 64;

/** Converts an instant to a zone of the runtime's database; returns undefined for an unknown name. */
export function zoneFormatter(name: string): Intl.DateTimeFormat | undefined {
  if (name.length > longestName || !/^[A-Za-z]/.test(name)) return undefined;
  const key = name.toLowerCase();
  const known = formatters.get(key);
  if (known !== undefined) return known;
  try {
    const formatter = new Intl.DateTimeFormat("en-US", {
      timeZone: name,
      hourCycle: "h23",
      era: "short",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(key, formatter);
    return formatter;
  } catch {
    return undefined;
  }
}

/** Returns true for a zone whose offset must be looked up. */
function isNamedZone(zone: GoTime["zone"]): zone is string {
  return typeof zone === "string" && zone !== "" && zone !== "UTC" && zone !== "Local";
}

/** Steps that one use of a zone costs, whether its formatter exists already or not. */
export const zoneSteps = 100;
