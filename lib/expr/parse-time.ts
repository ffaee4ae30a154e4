import { runtimeError } from "./errors.ts";
import { goQuote } from "./go-quote.ts";
import { monthNames, splitLayout, timeAt, weekdayNames } from "./go-time.ts";
import { GoTime } from "./go-value.ts";

type Fields = {
  year: number;
  month: number;
  day: number;
  yearDay: number;
  hour: number;
  minute: number;
  second: number;
  nanosecond: number;
  pm: boolean | undefined;
  zone: GoTime["zone"] | undefined;
};

/**
 * Parses a time with a layout (Go's time.ParseInLocation); a text without a zone is read in `zone`. Throws
 * ExpressionError with Go's text.
 */
export function parseTime(text: string, layout: string, zone: GoTime["zone"]): GoTime {
  const parsed = tryParseTime(text, layout, zone);
  if (parsed instanceof GoTime) return parsed;
  throw runtimeError(parsed());
}

/** Does the same as `parseTime`, but formats the error only on demand. */
export function tryParseTime(text: string, layout: string, zone: GoTime["zone"]): GoTime | (() => string) {
  const fields: Fields = {
    year: 0,
    month: -1,
    day: -1,
    yearDay: -1,
    hour: 0,
    minute: 0,
    second: 0,
    nanosecond: 0,
    pm: undefined,
    zone: undefined,
  };
  const namesFraction = /[.,][09]/.test(layout);
  let rest = text;
  for (const part of splitLayout(layout)) {
    const left = rest;
    if (part.field === undefined) {
      if (!rest.startsWith(part.text)) return () => cannotParse({ text, layout, rest: left, element: part.text });
      rest = rest.slice(part.text.length);
      continue;
    }
    const read = readField(fields, part.field, rest);
    const { field } = part;
    if (read === undefined) return () => cannotParse({ text, layout, rest: left, element: field });
    if (typeof read === "string") return () => `parsing time ${goQuote(text)}: ${read} out of range`;
    rest = rest.slice(read);
    if (!namesFraction && (field === "05" || field === "5")) rest = rest.slice(readStrayFraction(fields, rest));
  }
  if (rest !== "") return () => `parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}`;
  return toTime(fields, text, zone);
}

function cannotParse(failure: { text: string; layout: string; rest: string; element: string }): string {
  const { text, layout, rest, element } = failure;
  const place = `cannot parse ${goQuote(rest)} as ${goQuote(element)}`;
  return `parsing time ${goQuote(text)} as ${goQuote(layout)}: ${place}`;
}

/** Reads a fraction of a second that the layout does not name. */
function readStrayFraction(fields: Fields, rest: string): number {
  const match = /^[.,]([0-9]+)/.exec(rest);
  if (match?.[1] === undefined) return 0;
  fields.nanosecond = Number(match[1].padEnd(9, "0").slice(0, 9));
  return match[0].length;
}

function toTime(fields: Fields, text: string, zone: GoTime["zone"]): GoTime | (() => string) {
  const hour = fields.pm === undefined ? fields.hour : (fields.hour % 12) + (fields.pm ? 12 : 0);
  const isByYearDay = fields.yearDay >= 0;
  const month = isByYearDay || fields.month < 0 ? 1 : fields.month;
  const day = isByYearDay ? fields.yearDay : fields.day < 0 ? 1 : fields.day;
  const lastDay = new Date(Date.UTC(2000 + (fields.year % 400), month, 0)).getUTCDate();
  if (!isByYearDay && (day < 1 || day > lastDay)) {
    return () => `parsing time ${goQuote(text)}: day out of range`;
  }
  return timeAt({ ...fields, month, day, hour }, fields.zone ?? zone);
}

/**
 * Returns the length read, undefined if it does not fit, or a text that names the field whose value is out of range.
 */
function readField(fields: Fields, field: string, rest: string): number | string | undefined {
  const number = numberFields[field];
  if (number !== undefined) {
    const match = number.pattern.exec(rest);
    if (match === null) return undefined;
    const value = Number(match[0].trim());
    if (value < number.min || value > number.max) return number.name;
    number.set(fields, value);
    return match[0].length;
  }
  if (field === "January" || field === "Jan") return readName(monthNames, field === "Jan", rest, fields);
  if (field === "Monday" || field === "Mon") return readName(weekdayNames, field === "Mon", rest);
  if (field === "PM" || field === "pm") return readHalf(fields, field, rest);
  if (field === "MST") return readZoneName(fields, rest);
  return /^[.,]/.test(field) ? readFraction(fields, field, rest) : readOffset(fields, field, rest);
}

type NumberField = {
  readonly pattern: RegExp;
  readonly min: number;
  readonly max: number;
  readonly name: string;
  readonly set: (fields: Fields, value: number) => void;
};

const two = /^[0-9]{2}/;
const oneOrTwo = /^[0-9]{1,2}/;

type NumberName = "year" | "month" | "day" | "yearDay" | "hour" | "minute" | "second";

function numberField(pattern: RegExp, key: NumberName, [min, max]: readonly [number, number]): NumberField {
  const name = key === "yearDay" ? "day-of-year" : key;
  return { pattern, min, max, name, set: (fields, value) => Object.assign(fields, { [key]: value }) };
}

const numberFields: Readonly<Partial<Record<string, NumberField>>> = {
  "2006": numberField(/^[0-9]{4}/, "year", [0, 9999]),
  "06": {
    ...numberField(two, "year", [0, 99]),
    set: (fields, value) => Object.assign(fields, { year: value >= 69 ? 1900 + value : 2000 + value }),
  },
  "01": numberField(two, "month", [1, 12]),
  "1": numberField(oneOrTwo, "month", [1, 12]),
  "02": numberField(two, "day", [0, 99]),
  "2": numberField(oneOrTwo, "day", [0, 99]),
  _2: numberField(/^ ?[0-9]{1,2}/, "day", [0, 99]),
  "002": numberField(/^[0-9]{3}/, "yearDay", [1, 366]),
  "15": numberField(oneOrTwo, "hour", [0, 23]),
  "03": numberField(two, "hour", [0, 12]),
  "3": numberField(oneOrTwo, "hour", [0, 12]),
  "04": numberField(two, "minute", [0, 59]),
  "4": numberField(oneOrTwo, "minute", [0, 59]),
  "05": numberField(two, "second", [0, 59]),
  "5": numberField(oneOrTwo, "second", [0, 59]),
};

function readName(names: readonly string[], isShort: boolean, rest: string, fields?: Fields): number | undefined {
  const index = names.findIndex((name) => {
    const wanted = (isShort ? name.slice(0, 3) : name).toLowerCase();
    return rest.slice(0, wanted.length).toLowerCase() === wanted;
  });
  const name = names[index];
  if (name === undefined) return undefined;
  if (fields !== undefined) fields.month = index + 1;
  return isShort ? 3 : name.length;
}

function readHalf(fields: Fields, field: string, rest: string): number | undefined {
  const half = rest.slice(0, 2);
  const [am, pm] = field === "PM" ? ["AM", "PM"] : ["am", "pm"];
  if (half !== am && half !== pm) return undefined;
  fields.pm = half === pm;
  return 2;
}

/** Reads a zone abbreviation. Those other than UTC have no known offset: Go makes up a zone without an offset. */
function readZoneName(fields: Fields, rest: string): number | undefined {
  const name = /^(?:UTC|GMT[+-][0-9]{1,2}|[A-Z]{3,5}|[+-][0-9]{2})/.exec(rest)?.[0];
  if (name === undefined) return undefined;
  const offset = /^GMT([+-][0-9]+)$/.exec(name)?.[1];
  fields.zone = name === "UTC" ? "UTC" : { name, offsetSeconds: Number(offset ?? 0) * 3600 };
  return name.length;
}

function readFraction(fields: Fields, field: string, rest: string): number | undefined {
  const match = /^[.,]([0-9]+)/.exec(rest);
  if (match?.[1] === undefined) return field[1] === "9" ? 0 : undefined;
  if (field[1] === "0" && match[1].length !== field.length - 1) return undefined;
  fields.nanosecond = Number(match[1].padEnd(9, "0").slice(0, 9));
  return match[0].length;
}

function readOffset(fields: Fields, field: string, rest: string): number | undefined {
  if (field.startsWith("Z") && rest.startsWith("Z")) {
    fields.zone = "UTC";
    return 1;
  }
  const patterns: Readonly<Record<string, RegExp>> = {
    "07:00": /^([+-])([0-9]{2}):([0-9]{2})/,
    "0700": /^([+-])([0-9]{2})([0-9]{2})/,
    "07": /^([+-])([0-9]{2})()/,
  };
  const match = patterns[field.slice(1)]?.exec(rest);
  if (match === null || match === undefined) return undefined;
  const seconds = Number(match[2]) * 3600 + Number(match[3] || 0) * 60;
  fields.zone = seconds === 0 ? "UTC" : { name: "", offsetSeconds: match[1] === "-" ? -seconds : seconds };
  return match[0].length;
}
