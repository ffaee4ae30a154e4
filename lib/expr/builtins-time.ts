import { parseGoDuration } from "#lib/util/duration.ts";
import type { Budget } from "./budget.ts";
import { assertString } from "./conversion.ts";
import { ExpressionError, runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { bookClock, bookLayout, isKnownZone, zoneSteps } from "./go-time.ts";
import { durationType } from "./go-type.ts";
import { GoInteger, GoLocation, GoTime, type GoValue } from "./go-value.ts";
import { parseTime, tryParseTime } from "./parse-time.ts";

/** Layouts that `date` tries if it is given none. */
const layouts = [
  "2006-01-02",
  "15:04:05",
  "2006-01-02 15:04:05",
  "2006-01-02T15:04:05Z07:00",
  "02 Jan 06 15:04 MST",
  "Monday, 02-Jan-06 15:04:05 MST",
  "Mon, 02 Jan 2006 15:04:05 MST",
];

export const timeBuiltins: Readonly<Record<string, Builtin>> = {
  now: ([zone], { now }) => {
    if (now === undefined) throw new ExpressionError("unsupported", "now() has no value here: no time was given");
    return new GoTime(now, zone instanceof GoLocation ? zone.name : "UTC");
  },
  duration: ([text], { budget }) => {
    budget.spend(assertString(text).length);
    const parsed = parseGoDuration(assertString(text));
    if ("error" in parsed) throw runtimeError(parsed.error);
    return new GoInteger(durationType, parsed.nanoseconds);
  },
  timezone: ([name], { budget }) => new GoLocation(loadZone(assertString(name), budget)),
  date: (args, { budget }) =>
    args[0] instanceof GoLocation ? date(args.slice(1), args[0].name, budget) : date(args, undefined, budget),
};

function loadZone(name: string, budget: Budget): string {
  budget.spend(zoneSteps);
  if (isKnownZone(name)) return name === "" ? "UTC" : name;
  throw runtimeError(`unknown time zone ${name}`);
}

function date([text, layout, zoneName]: readonly GoValue[], zone: string | undefined, budget: Budget): GoTime {
  const value = assertString(text);
  // A text that does not parse is quoted in the error.
  budget.spend(value.length >> 2);
  if (layout !== undefined || zoneName !== undefined) {
    const wanted = assertString(layout);
    const place = zoneName === undefined ? (zone ?? "UTC") : loadZone(assertString(zoneName), budget);
    bookClock(place, budget);
    bookLayout(wanted, budget);
    return parseTime(value, wanted, place);
  }
  bookClock(zone ?? "UTC", budget);
  for (const candidate of layouts) {
    bookLayout(candidate, budget);
    const parsed = tryParseTime(value, candidate, zone ?? "UTC");
    if (parsed instanceof GoTime) return parsed;
  }
  throw runtimeError(`invalid date ${value}`);
}
