/** A day of the calendar, `YYYY-MM-DD`. */
export type Day = string;

const dayMs = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit" } as const;
  const made = new Intl.DateTimeFormat("en-CA", { ...parts, timeZone, hourCycle: "h23" });
  formats.set(timeZone, made);
  return made;
}

/** Returns the wall clock of a time zone: the day, and the minutes since its midnight by the clock. */
export function wallClock(atMs: number, timeZone: string): { day: Day; minute: number } {
  const part = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, value]),
  );
  return {
    day: `${part.year}-${part.month}-${part.day}`,
    minute: Number(part.hour) * 60 + Number(part.minute),
  };
}

/** Returns the first moment of a day in a time zone, in milliseconds: one o'clock, if the clocks skip midnight. */
export function startOfDay(day: Day, timeZone: string): number {
  const noon = Date.parse(`${day}T12:00:00Z`);
  // No zone is more than 14 hours from UTC, and clocks change in whole minutes.
  let [before, after] = [noon - 28 * 3_600_000, noon + 16 * 3_600_000];
  while (after - before > 60_000) {
    const middle = before + Math.floor((after - before) / 120_000) * 60_000;
    if (wallClock(middle, timeZone).day < day) before = middle;
    else after = middle;
  }
  return after;
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the Monday of the day's week. */
export function mondayOf(day: Day): Day {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

/** Returns whether a text from the address is a day that exists. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
}

/** Seven days from a Monday, with their first moments in a time zone; `ends` is the first moment after them. */
export type Week = { days: Day[]; starts: number[]; ends: number };

export function weekOf(monday: Day, timeZone: string): Week {
  const days = Array.from({ length: 7 }, (_, index) => addDays(monday, index));
  return { days, starts: days.map((day) => startOfDay(day, timeZone)), ends: startOfDay(addDays(monday, 7), timeZone) };
}

/** A part of a week: from 0 to 1. */
export type WeekPart = { from: number; to: number };

/** Places a time in the whole week; undefined outside of it. */
export function placeInWeek({ fromMs, toMs }: { fromMs: number; toMs: number }, week: Week): WeekPart | undefined {
  const start = week.starts[0] ?? week.ends;
  const shareOf = (atMs: number) => Math.min(1, Math.max(0, (atMs - start) / (week.ends - start)));
  const part = { from: shareOf(fromMs), to: shareOf(toMs) };
  return part.from < part.to ? part : undefined;
}
