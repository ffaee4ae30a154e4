import { hasBrand } from "#lib/util/has-brand.ts";
import { isRecord } from "#lib/util/json.ts";
import { floatSlice, metricDataResult, sliceOf, stringMap, stringSlice } from "./go-type.ts";
import { floatList, GoList, GoStruct, type GoValue, valueOfJson } from "./go-value.ts";

/** Go types that a metric provider passes to a condition (layout of the conformance cases). */
export const typedValueTypes = [
  "nil",
  "bool",
  "string",
  "int",
  "float64",
  "*float64",
  "[]float64",
  "[]string",
  "[]any",
  "json",
  "map(int)",
  "[]map(int)",
  "[]any(map int)",
  "[]MetricDataResult",
] as const;
export type TypedValueType = (typeof typedValueTypes)[number];

/**
 * A provider's result with its Go type. `value` is JSON; a float64 may be the text NaN, +Inf or -Inf; null is a nil
 * pointer or slice. In types like `map(int)`, whole numbers are Go ints; in `json`, every number is a float64.
 */
export type TypedValue = { readonly type: TypedValueType; readonly value?: unknown };

/** Thrown if a typed value's value does not fit its type. */
export class TypedValueError extends Error {
  readonly brand = "typed-value-error";
  override readonly name = "TypedValueError";
}

export function isTypedValueError(error: unknown): error is TypedValueError {
  return hasBrand(error, "typed-value-error");
}

/** Returns the value as a condition sees it: nil pointers and nil slices become nil. */
export function goValueOf({ type, value }: TypedValue): GoValue {
  switch (type) {
    case "nil":
      return null;
    case "bool":
      return typeof value === "boolean" ? value : wrong(type, "true or false");
    case "string":
      return typeof value === "string" ? value : wrong(type, "text");
    case "int":
      return integer(value);
    case "float64":
      return float(type, value);
    case "*float64":
      return value === null || value === undefined ? null : float(type, value);
    case "[]float64":
      return value === null ? null : floatList(list(type, value).map((item) => float(type, item)));
    case "[]string":
      return value === null ? null : new GoList(stringSlice, list(type, value).map(text));
    case "json":
      return valueOfJson(value);
    case "[]any":
      return valueOfJson(list(type, value).map((item) => specialNumber(item) ?? item));
    case "map(int)":
      return isRecord(value) ? valueOfJson(value, true) : wrong(type, "an object");
    case "[]map(int)":
      return new GoList(
        sliceOf(stringMap),
        list(type, value).map((item) => valueOfJson(item, true)),
      );
    case "[]any(map int)":
      return valueOfJson(list(type, value), true);
    case "[]MetricDataResult":
      return new GoList(sliceOf(metricDataResult), list(type, value).map(metricData));
  }
}

/** Returns true for nil and for an empty list, for which upstream's error texts differ. */
export function isNilOrEmpty(value: GoValue): boolean {
  return value === null || (value instanceof GoList && value.items.length === 0);
}

function wrong(type: TypedValueType, wanted: string): never {
  throw new TypedValueError(`a result of type ${type} needs ${wanted} as its value`);
}

function integer(value: unknown): bigint {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : wrong("int", "a whole number");
}

function specialNumber(value: unknown): number | undefined {
  if (value === "NaN") return Number.NaN;
  if (value === "+Inf") return Infinity;
  return value === "-Inf" ? -Infinity : undefined;
}

function float(type: TypedValueType, value: unknown): number {
  if (typeof value === "number") return value;
  return specialNumber(value) ?? wrong(type, "numbers, or the texts NaN, +Inf and -Inf,");
}

function list(type: TypedValueType, value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : wrong(type, "a list");
}

function text(value: unknown): string {
  return typeof value === "string" ? value : wrong("[]string", "a list of texts");
}

function metricData(value: unknown): GoStruct {
  if (!isRecord(value)) return wrong("[]MetricDataResult", "a list of objects with Values");
  const values = value.Values ?? [];
  const numbers = list("[]MetricDataResult", values).map((item) => float("[]MetricDataResult", item));
  return new GoStruct(metricDataResult, new Map([["Values", new GoList(floatSlice, numbers)]]));
}
