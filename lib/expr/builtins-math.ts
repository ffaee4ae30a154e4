import type { Budget } from "./budget.ts";
import { convertToFloat, convertToInt, numberOf, toFloat } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import type { Builtin } from "./frame.ts";
import { wrapInt } from "./go-number.ts";
import { isNumber } from "./go-type.ts";
import { GoInteger, GoList, type GoValue, typeName } from "./go-value.ts";
import { compare, negate } from "./runtime-operators.ts";

export const mathBuiltins: Readonly<Record<string, Builtin>> = {
  abs: ([value = null]) => absolute(value),
  ceil: ([value = null]) => Math.ceil(roundable("ceil", value)),
  floor: ([value = null]) => Math.floor(roundable("floor", value)),
  round: ([value = null]) => roundHalfAway(roundable("round", value)),
  int: ([value = null], { budget }) => convertToInt(value, budget),
  float: ([value = null], { budget }) => convertToFloat(value, budget),
  max: (args, { budget }) => extreme({ name: "max", operator: "<", budget }, args),
  min: (args, { budget }) => extreme({ name: "min", operator: ">", budget }, args),
  mean: (args, { budget }) => {
    const numbers = collectNumbers("mean", args, budget);
    return numbers.length === 0 ? 0 : numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  },
  median: (args, { budget }) => median(collectNumbers("median", args, budget)),
  bitand: bitwise("bitand", (x, y) => x & y),
  bitor: bitwise("bitor", (x, y) => x | y),
  bitxor: bitwise("bitxor", (x, y) => x ^ y),
  bitnand: bitwise("bitnand", (x, y) => x & ~y),
  bitshl: bitwise("bitshl", (x, y) => (y > 63n ? 0n : x << y), true),
  bitshr: bitwise("bitshr", (x, y) => x >> (y > 63n ? 63n : y), true),
  bitushr: bitwise("bitushr", (x, y) => (y > 63n ? 0n : BigInt.asUintN(64, x) >> y), true),
  bitnot: ([value = null]) => ~integerArgument("bitnot", value),
};

function absolute(value: GoValue): GoValue {
  const number = numberOf(value);
  if (number === undefined) throw runtimeError(`invalid argument for abs (type ${typeName(value)})`);
  return number < 0 ? negate(value) : value;
}

function roundable(name: string, value: GoValue): number {
  const number = numberOf(value);
  if (number === undefined) throw runtimeError(`invalid argument for ${name} (type ${typeName(value)})`);
  return Number(number);
}

/** Rounds halves away from zero, as Go does; a value next to a half stays on its side. */
function roundHalfAway(value: number): number {
  const whole = Math.trunc(value);
  const rounded = Math.abs(value - whole) >= 0.5 ? whole + Math.sign(value) : whole;
  return rounded === 0 ? (Object.is(Math.sign(value), -1) || Object.is(value, -0) ? -0 : 0) : rounded;
}

function integerArgument(name: string, value: GoValue): bigint {
  const number = numberOf(value);
  if (typeof number === "bigint") return number;
  throw runtimeError(`cannot use ${typeName(value)} as argument (type int) to call ${name}`);
}

function bitwise(name: string, apply: (x: bigint, y: bigint) => bigint, isShift = false): Builtin {
  return ([left = null, right = null]) => {
    const x = integerArgument(name, left);
    const y = integerArgument(name, right);
    if (isShift && y < 0n) throw runtimeError(`invalid operation: negative shift count ${y} (type int)`);
    return wrapInt(apply(x, y));
  };
}

type Extreme = { readonly name: "max" | "min"; readonly operator: "<" | ">"; readonly budget: Budget };

/**
 * Finds the largest or smallest number among numbers and lists of numbers, at any depth; nil if there are none. A NaN
 * neither replaces a value nor is replaced (builtin/lib.go `minMax`).
 */
function extreme(search: Extreme, args: readonly GoValue[]): GoValue {
  let best: GoValue = null;
  const offer = (candidate: GoValue): void => {
    if (best === null || compare(search.operator, best, candidate, search.budget)) best = candidate;
  };
  for (const arg of args) {
    if (isNumeric(arg)) offer(arg);
    else if (arg instanceof GoList) offerList(search, arg, offer);
    else if (args.length === 1) return arg;
    else throw invalidArgument(search.name, arg);
  }
  return best;
}

/** Compares the elements of a list of one number type with each other first, so the position of a NaN matters. */
function offerList(search: Extreme, list: GoList, offer: (candidate: GoValue) => void): void {
  search.budget.spend(list.items.length);
  const { elem } = list.type;
  if (elem !== undefined && isNumber(elem)) {
    const [first, ...rest] = list.items;
    if (first === undefined) return;
    offer(rest.reduce((best, item) => (compare(search.operator, best, item, search.budget) ? item : best), first));
    return;
  }
  const isAny = elem?.kind === "interface";
  for (const item of list.items) {
    const candidate = isAny && !(item instanceof GoList) ? item : extreme(search, [item]);
    if (isNumeric(candidate)) offer(candidate);
    else if (!isAny || candidate !== null || item === null) throw invalidArgument(search.name, candidate);
  }
}

function isNumeric(value: GoValue): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof GoInteger;
}

function invalidArgument(name: string, value: GoValue): Error {
  return runtimeError(`invalid argument for ${name} (type ${typeName(value)})`);
}

/** Collects every number in the arguments and in lists of any depth, as floats. */
function collectNumbers(name: string, values: readonly GoValue[], budget: Budget): number[] {
  budget.spend(2 * values.length);
  return values.flatMap((value) => {
    if (value instanceof GoList) return collectNumbers(name, value.items, budget);
    if (value instanceof GoInteger) return [Number(value.value)];
    if (!isNumeric(value)) throw invalidArgument(name, value);
    return [toFloat(value)];
  });
}

/** Computes the median; 0 without numbers. Go's sort puts NaN first. */
export function median(numbers: number[]): number {
  const sorted = numbers.sort((a, b) => {
    if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : -1;
    return Number.isNaN(b) ? 1 : a - b;
  });
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const lower = sorted[middle - 1] ?? 0;
  return sorted.length % 2 === 1 || sorted.length === 0 ? upper : (lower + upper) / 2;
}
