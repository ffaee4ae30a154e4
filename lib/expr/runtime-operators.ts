import { isSame } from "#lib/util/diff-merge.ts";
import type { Budget } from "./budget.ts";
import { isNil, numberOf, toFloat } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { compareStrings } from "./format-value.ts";
import { goPow, wrapInt } from "./go-number.ts";
import { anySlice, durationType, type GoType, isNumber, sameType } from "./go-type.ts";
import { GoInteger, GoList, GoLocation, GoMap, GoStruct, GoTime, type GoValue, typeName } from "./go-value.ts";

export type Comparison = "<" | ">" | "<=" | ">=";

/** Implements `left < right` and similar (vm/runtime/helpers[generated].go `Less` ...). */
export function compare(operator: Comparison, left: GoValue, right: GoValue, budget: Budget): boolean {
  if (typeof left === "number" && typeof right === "number") return decideFloats(operator, left, right);
  const order = orderOf(left, right, budget);
  if (order === undefined) throw mismatch(operator, left, right);
  if (Number.isNaN(order)) return false;
  if (operator === "<") return order < 0;
  if (operator === ">") return order > 0;
  return operator === "<=" ? order <= 0 : order >= 0;
}

function decideFloats(operator: Comparison, left: number, right: number): boolean {
  if (operator === "<") return left < right;
  if (operator === ">") return left > right;
  return operator === "<=" ? left <= right : left >= right;
}

/** Returns a negative number, 0 or a positive one; NaN if a NaN is involved; undefined if the two cannot be ordered. */
function orderOf(left: GoValue, right: GoValue, budget: Budget): number | undefined {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) {
    if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : Number(a > b);
    const [x, y] = [Number(a), Number(b)];
    if (x === y) return 0;
    return Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x < y ? -1 : 1;
  }
  if (typeof left === "string" && typeof right === "string") return compareStrings(left, right, budget);
  if (left instanceof GoTime && right instanceof GoTime) return orderInts(left.nanoseconds, right.nanoseconds);
  if (isDuration(left) && isDuration(right)) return orderInts(left.value, right.value);
  return undefined;
}

function orderInts(left: bigint, right: bigint): number {
  return left < right ? -1 : Number(left > right);
}

export function isDuration(value: GoValue): value is GoInteger {
  return value instanceof GoInteger && value.type === durationType;
}

function mismatch(operator: string, left: GoValue, right: GoValue): Error {
  return runtimeError(`invalid operation: ${typeName(left)} ${operator} ${typeName(right)}`);
}

function duration(value: bigint): GoInteger {
  return new GoInteger(durationType, wrapInt(value));
}

/** Implements vm/runtime `Add`. */
export function add(left: GoValue, right: GoValue, budget: Budget): GoValue {
  if (typeof left === "number" && typeof right === "number") return left + right;
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) {
    return typeof a === "bigint" && typeof b === "bigint" ? wrapInt(a + b) : Number(a) + Number(b);
  }
  if (typeof left === "string" && typeof right === "string") {
    budget.text(left.length + right.length);
    return left + right;
  }
  if (left instanceof GoTime && isDuration(right)) return new GoTime(left.nanoseconds + right.value, left.zone);
  if (isDuration(left) && right instanceof GoTime) return new GoTime(right.nanoseconds + left.value, right.zone);
  if (isDuration(left) && isDuration(right)) return duration(left.value + right.value);
  throw mismatch("+", left, right);
}

/** Implements vm/runtime `Subtract`. */
export function subtract(left: GoValue, right: GoValue): GoValue {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) {
    return typeof a === "bigint" && typeof b === "bigint" ? wrapInt(a - b) : Number(a) - Number(b);
  }
  if (left instanceof GoTime && right instanceof GoTime) return subtractTimes(left, right);
  if (left instanceof GoTime && isDuration(right)) return new GoTime(left.nanoseconds - right.value, left.zone);
  if (isDuration(left) && isDuration(right)) return duration(left.value - right.value);
  throw mismatch("-", left, right);
}

/** Subtracts times; Go's Time.Sub saturates at the largest and smallest duration. */
export function subtractTimes(left: GoTime, right: GoTime): GoInteger {
  const difference = left.nanoseconds - right.nanoseconds;
  if (wrapInt(difference) === difference) return duration(difference);
  return duration(difference > 0n ? 2n ** 63n - 1n : -(2n ** 63n));
}

/** Implements vm/runtime `Multiply`; a duration times a float is a float. */
export function multiply(left: GoValue, right: GoValue): GoValue {
  const a = isDuration(left) ? left.value : numberOf(left);
  const b = isDuration(right) ? right.value : numberOf(right);
  if (a === undefined || b === undefined) throw mismatch("*", left, right);
  if (typeof a !== "bigint" || typeof b !== "bigint") return Number(a) * Number(b);
  return isDuration(left) || isDuration(right) ? duration(a * b) : wrapInt(a * b);
}

/** Implements vm/runtime `Divide`: always a float. */
export function divide(left: GoValue, right: GoValue): number {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a === undefined || b === undefined) throw mismatch("/", left, right);
  return Number(a) / Number(b);
}

/** Implements vm/runtime `Modulo`: whole numbers only. */
export function modulo(left: GoValue, right: GoValue): bigint {
  const [a, b] = [numberOf(left), numberOf(right)];
  if (typeof a !== "bigint" || typeof b !== "bigint") throw mismatch("%", left, right);
  if (b === 0n) throw runtimeError("runtime error: integer divide by zero");
  return wrapInt(a % b);
}

/** Implements vm/runtime `Exponent`: always a float. */
export function power(left: GoValue, right: GoValue): number {
  return goPow(toFloat(left), toFloat(right));
}

/** Implements vm/runtime `Negate`. */
export function negate(value: GoValue): GoValue {
  if (typeof value === "number") return -value;
  if (typeof value === "bigint") return wrapInt(-value);
  const number = numberOf(value);
  if (typeof number !== "bigint" || !(value instanceof GoInteger)) {
    throw runtimeError(`invalid operation: - ${typeName(value)}`);
  }
  const negated = value.type.kind === "uint8" ? BigInt.asUintN(8, -number) : wrapInt(-number);
  return new GoInteger(value.type, negated);
}

/** Implements vm/runtime `Equal`: numbers compare across types, lists by element, anything else must match in type. */
export function equal(left: GoValue, right: GoValue, budget: Budget): boolean {
  if (left instanceof GoList && right instanceof GoList && haveComparableElements(left.type, right.type)) {
    if (!left.isNil || !right.isNil) return equalItems(left, right, budget, equal);
  }
  return equalDeeply(left, right, budget);
}

/** Implements `Equal` of expr v1.15.5, in which lists must have the same type (reflect.DeepEqual). */
export function equalDeeply(left: GoValue, right: GoValue, budget: Budget): boolean {
  if (typeof left === "number" && typeof right === "number") return left === right;
  if (typeof left === "string" && typeof right === "string") return equalTexts(left, right, budget);
  const [a, b] = [numberOf(left), numberOf(right)];
  if (a !== undefined && b !== undefined) {
    return typeof a === "bigint" && typeof b === "bigint" ? a === b : Number(a) === Number(b);
  }
  if (left instanceof GoTime && right instanceof GoTime) return left.nanoseconds === right.nanoseconds;
  if (isNil(left) && isNil(right)) return true;
  return deepEqual(left, right, budget);
}

/** Compares texts; those of the same length are compared to the end in the worst case. */
export function equalTexts(left: string, right: string, budget: Budget): boolean {
  if (left.length !== right.length) return false;
  budget.read(left.length);
  return left === right;
}

/**
 * Returns whether `Equal` compares these lists by element: []any with []any or a list of a simple type, or two lists of
 * the same type.
 */
function haveComparableElements(left: GoType, right: GoType): boolean {
  if (left.kind !== "slice" || right.kind !== "slice") return false;
  const isSimple = (type: GoType): boolean =>
    sameType(type, anySlice) || (type.elem !== undefined && (isNumber(type.elem) || type.elem.kind === "string"));
  if (!isSimple(left) || !isSimple(right)) return false;
  return sameType(left, right) || sameType(left, anySlice) || sameType(right, anySlice);
}

function equalItems(
  left: GoList,
  right: GoList,
  budget: Budget,
  isEqual: (left: GoValue, right: GoValue, budget: Budget) => boolean,
): boolean {
  budget.spend(2 * left.items.length + 1);
  return (
    left.items.length === right.items.length &&
    left.items.every((item, index) => isEqual(item, right.items[index] ?? null, budget))
  );
}

/** Implements reflect.DeepEqual for the values that exist here. */
function deepEqual(left: GoValue, right: GoValue, budget: Budget): boolean {
  budget.spend(2);
  if (typeof left === "string" && typeof right === "string") return equalTexts(left, right, budget);
  if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) return left === right;
  if (left instanceof GoInteger && right instanceof GoInteger) {
    return left.type === right.type && left.value === right.value;
  }
  if (left instanceof GoList && right instanceof GoList) {
    if (!sameType(left.type, right.type) || left.isNil !== right.isNil) return false;
    return left === right || equalItems(left, right, budget, deepEqual);
  }
  if (left instanceof GoMap && right instanceof GoMap) return equalMaps(left, right, budget);
  if (left instanceof GoStruct && right instanceof GoStruct) {
    if (!sameType(left.type, right.type)) return false;
    return [...left.fields].every(([name, field]) => deepEqual(field, right.fields.get(name) ?? null, budget));
  }
  if (left instanceof GoTime && right instanceof GoTime) {
    return left.nanoseconds === right.nanoseconds && isSame(left.zone, right.zone);
  }
  return left instanceof GoLocation && right instanceof GoLocation && left.name === right.name;
}

function equalMaps(left: GoMap, right: GoMap, budget: Budget): boolean {
  if (!sameType(left.type, right.type) || left.entries.size !== right.entries.size) return false;
  if (left === right) return true;
  for (const [key, [, value]] of left.entries) {
    const other = right.entries.get(key);
    if (other === undefined || !deepEqual(value, other[1], budget)) return false;
  }
  return true;
}
