import { UsageError } from "../command-line.ts";

/**
 * Parses the time of `--at`: the next time that the clock of this machine's zone shows HH:MM, or an ISO 8601 time with
 * its zone. Throws `UsageError`.
 */
export function parseAt(text: string, now: Date): Date {
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text);
  if (clock !== null) {
    const at = new Date(now);
    at.setHours(Number(clock[1]), Number(clock[2]), 0, 0);
    if (at <= now) at.setDate(at.getDate() + 1);
    return at;
  }
  const isZoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text);
  const at = new Date(text);
  if (!isZoned || Number.isNaN(at.getTime()))
    throw new UsageError("--at takes HH:MM, or a time with its zone such as 2027-01-04T09:00:00+01:00");
  return at;
}

/** Formats a time with the zone of this machine, such as `Mon 4 Jan 2027, 09:00 CET`. */
export function formatAt(at: Date): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((each) => each.type === type)?.value ?? "";
  return `${part("weekday")} ${part("day")} ${part("month")} ${part("year")}, ${part("hour")}:${part("minute")} ${part("timeZoneName")}`;
}
