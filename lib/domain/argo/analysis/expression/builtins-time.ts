import { parseGoDuration } from "#lib/util/duration.ts";
import { assertString } from "./conversion.ts";
import { ExpressionError, isExpressionError, runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { isKnownZone } from "./go-time.ts";
import { durationType } from "./go-type.ts";
import { GoInteger, GoLocation, GoTime, type GoValue } from "./go-value.ts";
import { parseTime } from "./parse-time.ts";

/** What `date` tries when it is given no layout. */
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
  duration: ([text]) => {
    const parsed = parseGoDuration(assertString(text));
    if ("error" in parsed) throw runtimeError(parsed.error);
    return new GoInteger(durationType, parsed.nanoseconds);
  },
  timezone: ([name]) => new GoLocation(loadZone(assertString(name))),
  date: (args) => (args[0] instanceof GoLocation ? date(args.slice(1), args[0].name) : date(args, undefined)),
};

function loadZone(name: string): string {
  if (isKnownZone(name)) return name === "" ? "UTC" : name;
  throw runtimeError(`unknown time zone ${name}`);
}

function date([text, layout, zoneName]: readonly GoValue[], zone: string | undefined): GoTime {
  const value = assertString(text);
  if (zoneName !== undefined) return parseTime(value, assertString(layout), loadZone(assertString(zoneName)));
  if (layout !== undefined) return parseTime(value, assertString(layout), zone ?? "UTC");
  for (const candidate of layouts) {
    try {
      return parseTime(value, candidate, zone ?? "UTC");
    } catch (error) {
      if (!isExpressionError(error)) throw error;
    }
  }
  throw runtimeError(`invalid date ${value}`);
}
