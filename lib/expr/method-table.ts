import {
  boolType,
  durationType,
  floatType,
  funcOf,
  type GoType,
  int64Type,
  intType,
  locationType,
  monthType,
  stringType,
  timeType,
  weekdayType,
} from "./go-type.ts";

const timeMethods: Readonly<Record<string, GoType>> = {
  Add: funcOf([durationType], timeType),
  AddDate: funcOf([intType, intType, intType], timeType),
  After: funcOf([timeType], boolType),
  Before: funcOf([timeType], boolType),
  Compare: funcOf([timeType], intType),
  Day: funcOf([], intType),
  Equal: funcOf([timeType], boolType),
  Format: funcOf([stringType], stringType),
  Hour: funcOf([], intType),
  In: funcOf([locationType], timeType),
  IsZero: funcOf([], boolType),
  Minute: funcOf([], intType),
  Month: funcOf([], monthType),
  Nanosecond: funcOf([], intType),
  Second: funcOf([], intType),
  String: funcOf([], stringType),
  Sub: funcOf([timeType], durationType),
  Truncate: funcOf([durationType], timeType),
  UTC: funcOf([], timeType),
  Unix: funcOf([], int64Type),
  UnixMilli: funcOf([], int64Type),
  UnixNano: funcOf([], int64Type),
  Weekday: funcOf([], weekdayType),
  Year: funcOf([], intType),
  YearDay: funcOf([], intType),
};

const durationMethods: Readonly<Record<string, GoType>> = {
  Abs: funcOf([], durationType),
  Hours: funcOf([], floatType),
  Microseconds: funcOf([], int64Type),
  Milliseconds: funcOf([], int64Type),
  Minutes: funcOf([], floatType),
  Nanoseconds: funcOf([], int64Type),
  Round: funcOf([durationType], durationType),
  Seconds: funcOf([], floatType),
  String: funcOf([], stringType),
  Truncate: funcOf([durationType], durationType),
};

const named: Readonly<Record<string, GoType>> = { String: funcOf([], stringType) };

const methodsByType: ReadonlyMap<string, Readonly<Record<string, GoType>>> = new Map([
  [timeType.name, timeMethods],
  [durationType.name, durationMethods],
  [monthType.name, named],
  [weekdayType.name, named],
  [locationType.name, named],
]);

/** Returns the signature (without receiver) of a method of a type, if we implement it. */
export function methodOf(type: GoType, name: string): GoType | undefined {
  const methods = methodsByType.get(type.name);
  return methods !== undefined && Object.hasOwn(methods, name) ? methods[name] : undefined;
}

/** Returns every method name of any type. */
export function methodNames(): readonly string[] {
  return [...new Set([...methodsByType.values()].flatMap((methods) => Object.keys(methods)))];
}
