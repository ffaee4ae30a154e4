import type { Budget } from "./budget.ts";
import { bookNumber, numberOf, truncateToInt } from "./conversion.ts";
import { runtimeError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import { parseGoFloat, parseGoInt } from "./go-number.ts";
import { anyType, boolType, floatType, funcOf, type GoType, int64Type } from "./go-type.ts";
import { GoFunction, GoInteger, type GoValue, typeName, typeOfValue } from "./go-value.ts";
import { type Language, newestLanguage } from "./language.ts";
import { type Nature, nilNature } from "./nature.ts";

const signatures = {
  asInt: funcOf([anyType], int64Type),
  asFloat: funcOf([anyType], floatType),
  isNaN: funcOf([floatType], boolType),
  isInf: funcOf([floatType], boolType),
  isNil: funcOf([anyType], boolType),
  default: funcOf([anyType, anyType], anyType),
} as const satisfies Record<string, GoType>;

/** The functions and result that an expression sees besides its own variables. `result` is absent if it has none. */
export type Environment = {
  readonly functions: ReadonlyMap<string, GoFunction>;
  readonly result?: Nature;
  /** The newest if absent. */
  readonly language?: Language;
};

/**
 * Argo's functions for conditions. `isNil` and `default` check the whole result, regardless of their arguments. Mirrors
 * argo-rollouts utils/evaluate/evaluate.go `EvalCondition`.
 */
const conditionFunctions: ReadonlyMap<string, GoFunction> = new Map([
  ["asInt", new GoFunction(signatures.asInt, ([value = null], _, budget) => asInt(value, budget))],
  ["asFloat", new GoFunction(signatures.asFloat, ([value = null], _, budget) => asFloat(value, budget))],
  ["isNaN", new GoFunction(signatures.isNaN, ([value = null]) => Number.isNaN(floatArgument(value)))],
  ["isInf", new GoFunction(signatures.isInf, ([value = null]) => Math.abs(floatArgument(value)) === Infinity)],
  ["isNil", new GoFunction(signatures.isNil, (_, result) => result === null)],
  ["default", new GoFunction(signatures.default, ([, other = null], result) => (result === null ? other : result))],
]);

/** Returns the environment of a condition on results of the same type as `sample`. */
export function conditionEnvironment(sample: GoValue, language: Language = newestLanguage): Environment {
  const type = typeOfValue(sample);
  return { functions: conditionFunctions, result: type === undefined ? nilNature : { type }, language };
}

/** The environment of a time expression (utils/evaluate/evaluate.go `EvalTime`). */
export const timeEnvironment: Environment = {
  functions: new Map([...conditionFunctions].filter(([name]) => name === "isNaN" || name === "isInf")),
};

/** Returns the types of every name in an environment. */
export function environmentTypes({ functions, result }: Environment): ReadonlyMap<string, Nature> {
  const types = new Map<string, Nature>(Array.from(functions, ([name, { type }]) => [name, { type }]));
  return result === undefined ? types : types.set("result", result);
}

/** Implements Go's asInt for conditions: numbers are truncated; text must be a whole number. */
export function asInt(value: GoValue, budget: Budget): GoValue {
  const number = numberOf(value);
  if (number !== undefined) {
    return new GoInteger(int64Type, typeof number === "number" ? truncateToInt(number) : number);
  }
  if (typeof value !== "string") throw notSupported("asInt", value, budget);
  bookNumber(value, budget);
  const parsed = parseGoInt(value);
  if ("error" in parsed) throw runtimeError(parsed.error);
  return new GoInteger(int64Type, parsed.value);
}

export function asFloat(value: GoValue, budget: Budget): number {
  const number = numberOf(value);
  if (number !== undefined) return Number(number);
  if (typeof value !== "string") throw notSupported("asFloat", value, budget);
  bookNumber(value, budget);
  const parsed = parseGoFloat(value);
  if ("error" in parsed) throw runtimeError(parsed.error);
  return parsed.value;
}

function notSupported(name: string, value: GoValue, budget: Budget): Error {
  return runtimeError(`${name}() not supported on ${typeName(value)} ${formatValue(value, budget)}`);
}

function floatArgument(value: GoValue): number {
  if (typeof value === "number") return value;
  const given = value === null ? "nil" : typeName(value);
  throw runtimeError(`interface conversion: interface {} is ${given}, not float64`);
}
