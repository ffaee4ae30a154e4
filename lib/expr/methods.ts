import type { Budget } from "./budget.ts";
import { assertString, toInt } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import { bookClock, type ClockTime, clockOf, formatTime, timeAt, yearDay } from "./go-time.ts";
import { durationType, int64Type, monthType, weekdayType } from "./go-type.ts";
import { GoFunction, GoInteger, GoLocation, GoTime, type GoValue, typeName, typeOfValue } from "./go-value.ts";
import { methodOf } from "./method-table.ts";
import { isDuration, subtractTimes } from "./runtime-operators.ts";

/** Returns a method of a time, duration, month, weekday or zone, bound to its receiver; undefined if unknown. */
export function boundMethod(receiver: GoValue, name: string): GoFunction | undefined {
  const type = typeOfValue(receiver);
  const signature = type === undefined ? undefined : methodOf(type, name);
  if (signature === undefined) return undefined;
  return new GoFunction(signature, (args, _, budget) => invoke({ receiver, name, args, budget }));
}

function invoke(call: { receiver: GoValue; name: string; args: readonly GoValue[]; budget: Budget }): GoValue {
  const { receiver, name, args, budget } = call;
  if (name === "String") return formatValue(receiver, budget);
  if (receiver instanceof GoTime) {
    bookClock(receiver.zone, budget);
    return name === "Format" ? formatTime(receiver, assertString(args[0]), budget) : timeMethod(receiver, name, args);
  }
  if (isDuration(receiver)) return durationMethod(receiver.value, name, args);
  throw runtimeError(`cannot fetch ${name} from ${typeName(receiver)}`);
}

const int64 = (value: bigint): GoInteger => new GoInteger(int64Type, value);

function timeMethod(time: GoTime, name: string, args: readonly GoValue[]): GoValue {
  const clockField = clockFields[name];
  if (clockField !== undefined) return clockField(clockOf(time));
  const [first = null] = args;
  switch (name) {
    case "Add":
      return new GoTime(time.nanoseconds + durationOf(first), time.zone);
    case "AddDate":
      return addDate(time, args);
    case "After":
      return time.nanoseconds > timeOf(first).nanoseconds;
    case "Before":
      return time.nanoseconds < timeOf(first).nanoseconds;
    case "Equal":
      return time.nanoseconds === timeOf(first).nanoseconds;
    case "Compare":
      return BigInt(Math.sign(Number(time.nanoseconds - timeOf(first).nanoseconds)));
    case "In":
      return first instanceof GoLocation ? new GoTime(time.nanoseconds, first.name) : time;
    case "UTC":
      return new GoTime(time.nanoseconds, "UTC");
    case "Sub":
      return subtractTimes(time, timeOf(first));
    case "Truncate":
      return truncate(time, durationOf(first));
    case "Unix":
      return int64(floorDivide(time.nanoseconds, 1_000_000_000n));
    case "UnixMilli":
      return int64(floorDivide(time.nanoseconds, 1_000_000n));
    case "UnixNano":
      return int64(BigInt.asIntN(64, time.nanoseconds));
    default:
      return time.nanoseconds === zeroTimeNs;
  }
}

/** Go's zero Time is January 1 of the year 1. */
const zeroTimeNs = -62_135_596_800n * 1_000_000_000n;

const clockFields: Readonly<Partial<Record<string, (clock: ClockTime) => GoValue>>> = {
  Year: (clock) => BigInt(clock.year),
  Month: (clock) => new GoInteger(monthType, BigInt(clock.month)),
  Day: (clock) => BigInt(clock.day),
  Hour: (clock) => BigInt(clock.hour),
  Minute: (clock) => BigInt(clock.minute),
  Second: (clock) => BigInt(clock.second),
  Nanosecond: (clock) => BigInt(clock.nanosecond),
  Weekday: (clock) => new GoInteger(weekdayType, BigInt(clock.weekday)),
  YearDay: (clock) => BigInt(yearDay(clock)),
};

function addDate(time: GoTime, [years = null, months = null, days = null]: readonly GoValue[]): GoTime {
  const clock = clockOf(time);
  const shift = (value: GoValue): number => Number(BigInt.asIntN(24, toInt(value)));
  return timeAt(
    {
      ...clock,
      year: clock.year + shift(years),
      month: clock.month + shift(months),
      day: clock.day + shift(days),
    },
    time.zone,
  );
}

function truncate(time: GoTime, step: bigint): GoTime {
  if (step <= 0n) return time;
  const sinceZero = time.nanoseconds - zeroTimeNs;
  return new GoTime(time.nanoseconds - (sinceZero % step), time.zone);
}

function floorDivide(value: bigint, by: bigint): bigint {
  const quotient = value / by;
  return value % by < 0n ? quotient - 1n : quotient;
}

function timeOf(value: GoValue): GoTime {
  if (value instanceof GoTime) return value;
  throw runtimeError(`reflect: Call using ${typeName(value)} as type time.Time`);
}

function durationOf(value: GoValue): bigint {
  if (isDuration(value)) return value.value;
  throw runtimeError(`reflect: Call using ${typeName(value)} as type time.Duration`);
}

function durationMethod(value: bigint, name: string, args: readonly GoValue[]): GoValue {
  const [first = null] = args;
  switch (name) {
    case "Hours":
      return inUnits(value, 3_600_000_000_000n);
    case "Minutes":
      return inUnits(value, 60_000_000_000n);
    case "Seconds":
      return inUnits(value, 1_000_000_000n);
    case "Milliseconds":
      return int64(value / 1_000_000n);
    case "Microseconds":
      return int64(value / 1_000n);
    case "Nanoseconds":
      return int64(value);
    case "Abs":
      return new GoInteger(durationType, value < 0n ? -value : value);
    case "Truncate": {
      const step = durationOf(first);
      return new GoInteger(durationType, step <= 0n ? value : value - (value % step));
    }
    default:
      return new GoInteger(durationType, roundTo(value, durationOf(first)));
  }
}

/** Divides whole units and the remainder separately, as Go does; this decides the last bit. */
function inUnits(value: bigint, unit: bigint): number {
  return Number(value / unit) + Number(value % unit) / Number(unit);
}

/** Rounds half away from zero. */
function roundTo(value: bigint, step: bigint): bigint {
  if (step <= 0n) return value;
  const rest = value % step;
  const size = rest < 0n ? -rest : rest;
  const down = value - rest;
  if (size * 2n < step) return down;
  return value < 0n ? down - step : down + step;
}
