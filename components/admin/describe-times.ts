import type { AdminFreeze } from "#lib/contract/admin.ts";
import { parseDurationMs } from "#lib/util/duration.ts";
import { formatLength, formatList } from "#lib/util/words.ts";

type Recurrence = Pick<AdminFreeze, "start" | "timeZone" | "duration">;

const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const months = "January February March April May June July August September October November December".split(" ");

/**
 * Describes when a freeze recurs: "every Friday at 18:00 UTC for 62 h". A cron expression that is more than a time on
 * certain days stays as it is: "for 5 min from each start (cron 0 * * * *, UTC)".
 */
export function describeTimes({ start, timeZone, duration }: Recurrence): string {
  const lengthMs = parseDurationMs(duration);
  const length = lengthMs === undefined ? duration : formatLength(lengthMs / 1000);
  const words = wordStart(start);
  return words === undefined
    ? `for ${length} from each start (cron ${start}, ${timeZone})`
    : `${words} ${timeZone} for ${length}`;
}

/** The source of the words, for those who write the config. */
export function quoteTimes({ start, timeZone, duration }: Recurrence): string {
  return `start: ${start}, timeZone: ${timeZone}, duration: ${duration}`;
}

function wordStart(start: string): string | undefined {
  if (start.length > 100) return undefined;
  const [minute = "", hour = "", ...days] = start.trim().split(/\s+/);
  if (days.length !== 3 || !isNumber(minute, 59) || !isNumber(hour, 23)) return undefined;
  const words = wordDays(days);
  return words === undefined ? undefined : `${words} at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
}

function wordDays([day = "", month = "", weekday = ""]: readonly string[]): string | undefined {
  if (day === "*") return month === "*" ? wordWeekdays(weekday) : undefined;
  if (weekday !== "*" || !isNumber(day, 31)) return undefined;
  if (month === "*") return `on day ${Number(day)} of each month`;
  const name = isNumber(month, 12) ? months[Number(month) - 1] : undefined;
  return name === undefined ? undefined : `every year on ${Number(day)} ${name}`;
}

function wordWeekdays(field: string): string | undefined {
  if (field === "*") return "every day";
  const parts = field.split(",").map(wordWeekday);
  return parts.includes(undefined) ? undefined : `every ${formatList(parts.filter((part) => part !== undefined))}`;
}

/** A weekday, or a range of them: "5", "MON-THU". */
function wordWeekday(part: string): string | undefined {
  const [from, to, ...more] = part.split("-").map(findWeekday);
  if (from === undefined || more.length > 0) return undefined;
  if (!part.includes("-")) return weekdays[from % 7];
  return to === undefined || to <= from ? undefined : `${weekdays[from]} to ${weekdays[to % 7]}`;
}

/** Finds the number of a weekday; Sunday is 0 or 7. */
function findWeekday(text: string): number | undefined {
  if (isNumber(text, 7)) return Number(text);
  const index = weekdays.findIndex((name) => name.slice(0, 3).toLowerCase() === text.toLowerCase());
  return index === -1 ? undefined : index;
}

function isNumber(text: string, most: number): boolean {
  return /^\d{1,2}$/.test(text) && Number(text) <= most;
}
