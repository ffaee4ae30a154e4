import type { FaultyField } from "#lib/domain/delivery/backtest.ts";
import { conditionEnvironment } from "#lib/expr/environment.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import type { GoValue } from "#lib/expr/go-value.ts";
import type { Language } from "#lib/expr/language.ts";
import { compileProgram } from "#lib/expr/program.ts";
import { goValueOf } from "#lib/expr/typed-value.ts";

export type ConditionFault = Omit<FaultyField, "field">;

/** `isNumeric`: providers that measure numbers give it. */
type SampleResult = { readonly name: string; readonly value: GoValue; readonly isNumeric?: true };

/** One result for each Go type that providers pass to conditions; any JSON type is checked as it is evaluated. */
export const sampleResults: readonly SampleResult[] = [
  { name: "a list of numbers", value: goValueOf({ type: "[]float64", value: [1] }), isNumeric: true },
  { name: "a number", value: goValueOf({ type: "float64", value: 1 }), isNumeric: true },
  { name: "an object", value: goValueOf({ type: "json", value: {} }) },
  { name: "a list", value: goValueOf({ type: "json", value: [] }) },
  { name: "text", value: goValueOf({ type: "string", value: "" }) },
  { name: "a boolean", value: goValueOf({ type: "bool", value: true }) },
  { name: "nil", value: goValueOf({ type: "nil" }) },
];

/** Returns why a condition fits no type of result. */
export function findConditionFault(condition: string, language?: Language): ConditionFault | undefined {
  let first: ConditionFault | undefined;
  for (const { value } of sampleResults) {
    const fault = faultOn(value, condition, language);
    if (fault === undefined) return undefined;
    first ??= fault;
  }
  return first;
}

/** Returns why a condition does not fit results of the type of `sample`. */
export function faultOn(sample: GoValue, condition: string, language?: Language): ConditionFault | undefined {
  try {
    compileProgram(condition, conditionEnvironment(sample, language));
    return undefined;
  } catch (error) {
    if (!isExpressionError(error)) throw error;
    const { message: text, position } = error;
    return { text, ...(position === undefined ? {} : { position }) };
  }
}
