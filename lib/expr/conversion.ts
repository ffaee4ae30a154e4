import type { Budget } from "./budget.ts";
import { runtimeError } from "./errors.ts";
import { minInt64, parseGoFloat, parseGoInt, wrapInt } from "./go-number.ts";
import { GoInteger, GoList, GoMap, type GoValue, typeName } from "./go-value.ts";

/** Returns the number in a value of a builtin number type, else undefined; whole numbers are bigint. */
export function numberOf(value: GoValue): bigint | number | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof GoInteger && value.type.isNamed === undefined ? value.value : undefined;
}

/**
 * Implements Go's int64(f): truncates towards zero; a value that does not fit becomes the smallest int64, as on amd64.
 */
export function truncateToInt(value: number): bigint {
  if (!Number.isFinite(value)) return minInt64;
  const whole = BigInt(Math.trunc(value));
  return wrapInt(whole) === whole ? whole : minInt64;
}

/** Implements vm/runtime `ToInt`. */
export function toInt(value: GoValue): bigint {
  if (typeof value === "bigint") return value;
  const number = numberOf(value);
  if (number === undefined) throw runtimeError(`invalid operation: int(${typeName(value)})`);
  return typeof number === "number" ? truncateToInt(number) : number;
}

/** Implements vm/runtime `ToFloat64`. */
export function toFloat(value: GoValue): number {
  if (typeof value === "number") return value;
  const number = numberOf(value);
  if (number === undefined) throw runtimeError(`invalid operation: float(${typeName(value)})`);
  return Number(number);
}

/** Does a Go type assertion to bool; throws the text of its panic. */
export function assertBool(value: GoValue): boolean {
  if (typeof value === "boolean") return value;
  throw wrongType(value, "bool");
}

export function assertInt(value: GoValue): bigint {
  if (typeof value === "bigint") return value;
  throw wrongType(value, "int");
}

export function assertString(value: GoValue | undefined): string {
  if (typeof value === "string") return value;
  throw wrongType(value ?? null, "string");
}

export function wrongType(value: GoValue, wanted: string): Error {
  const given = value === null ? "nil" : typeName(value);
  return runtimeError(`interface conversion: interface {} is ${given}, not ${wanted}`);
}

/** Implements vm/runtime `IsNil`. Maps are never nil here: nothing creates a nil map. */
export function isNil(value: GoValue): boolean {
  return value === null || (value instanceof GoList && value.isNil);
}

/** Returns reflect's name of a value's kind, as some error texts use it. */
export function kindName(value: GoValue): string {
  if (value === null) return "invalid";
  if (value instanceof GoList) return value.type.kind;
  if (value instanceof GoMap) return "map";
  if (typeof value === "bigint") return "int";
  if (typeof value === "number") return "float64";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return value instanceof GoInteger ? value.type.kind : "struct";
}

/** Charges for parsing a number: a text that is not a number is quoted in the error. */
export function bookNumber(text: string, budget: Budget): void {
  budget.spend(text.length >> 2);
}

/** Implements builtin `int` (builtin/lib.go `Int`). */
export function convertToInt(value: GoValue, budget: Budget): bigint {
  if (typeof value !== "string") {
    if (value === null) throw runtimeError("reflect: call of reflect.Value.Type on zero Value");
    return value instanceof GoInteger ? value.value : toInt(value);
  }
  bookNumber(value, budget);
  const parsed = parseGoInt(value, "Atoi");
  if ("error" in parsed) throw runtimeError(`invalid operation: int(${value})`);
  return parsed.value;
}

/** Implements builtin `float` (builtin/lib.go `Float`). */
export function convertToFloat(value: GoValue, budget: Budget): number {
  if (typeof value !== "string") return toFloat(value);
  bookNumber(value, budget);
  const parsed = parseGoFloat(value);
  if ("error" in parsed) throw runtimeError(`invalid operation: float(${value})`);
  return parsed.value;
}
