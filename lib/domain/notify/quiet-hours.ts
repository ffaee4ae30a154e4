import type { FindingSeverity } from "#lib/domain/oversight/rule.ts";
import { isAtLeast } from "./severity-rank.ts";

/** Daily, from `start` until just before `end`, by the wall clock of the zone; `end` may be on the next day. */
export type QuietHours = {
  /** `HH:MM`. */
  start: string;
  end: string;
  /** An IANA zone. */
  timeZone: string;
  /** Events of at least this severity are sent anyway. */
  exceptSeverity: FindingSeverity;
};

/** Returns whether an event of this severity is held back now. */
export function isQuiet({
  hours: { start, end, timeZone, exceptSeverity },
  severity,
  now,
}: {
  hours: QuietHours;
  severity: FindingSeverity;
  now: Date;
}): boolean {
  if (isAtLeast(severity, exceptSeverity)) return false;
  const [from, to, at] = [minutesOf(start), minutesOf(end), minutesOf(wallClock(now, timeZone))];
  return from <= to ? from <= at && at < to : at >= from || at < to;
}

function wallClock(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    now,
  );
}

function minutesOf(text: string): number {
  const [hours = "0", minutes = "0"] = text.split(":");
  return Number(hours) * 60 + Number(minutes);
}
