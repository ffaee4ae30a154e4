import { expect, it } from "vitest";
import { evaluateCondition } from "#lib/domain/argo/analysis/evaluate-result.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { Budget } from "./budget.ts";
import { asFloat, asInt } from "./environment.ts";
import { ExpressionError } from "./errors.ts";
import { GoInteger, type GoValue, typeName } from "./go-value.ts";
import { goValueOf, isNilOrEmpty, type TypedValue, TypedValueError } from "./typed-value.ts";

type Case = {
  id: string;
  function: string;
  input: TypedValue;
  expect: { value?: unknown; panics?: true; defaultArg?: unknown };
};

const functions: Readonly<Record<string, (value: GoValue) => unknown>> = {
  asInt: (value) => {
    const result = asInt(value, new Budget());
    return result instanceof GoInteger ? Number(result.value) : result;
  },
  asFloat: (value) => asFloat(value, new Budget()),
  isInf: (value) => evaluateCondition({ result: value, condition: "isInf(result)" }),
  isNil: (value) => evaluateCondition({ result: value, condition: "isNil(result)" }),
  "isNilOrEmpty(internal)": isNilOrEmpty,
  "valueFromPointer(internal)": (value) => (typeof value === "bigint" ? Number(value) : value),
};

it.each(loadCases<Case>("analysis-helper-function"))("$id $function", (testCase) => {
  const call = functions[testCase.function];
  if (call === undefined) throw new Error(`no such function: ${testCase.function}`);
  const value = goValueOf(testCase.input);
  if (testCase.expect.panics) expect(() => call(value)).toThrow(ExpressionError);
  else expect(call(value)).toEqual(testCase.expect.value);
});

it.each<[TypedValue, string]>([
  [{ type: "nil" }, "<nil>"],
  [{ type: "int", value: 1 }, "int"],
  [{ type: "float64", value: 1 }, "float64"],
  [{ type: "*float64", value: 1 }, "float64"],
  [{ type: "*float64", value: null }, "<nil>"],
  [{ type: "[]float64", value: ["NaN"] }, "[]float64"],
  [{ type: "[]string", value: ["a"] }, "[]string"],
  [{ type: "json", value: [1] }, "[]interface {}"],
  [{ type: "json", value: { a: 1 } }, "map[string]interface {}"],
  [{ type: "[]map(int)", value: [{ a: 1 }] }, "[]map[string]interface {}"],
  [{ type: "[]MetricDataResult", value: [{ Values: [1] }] }, "[]types.MetricDataResult"],
])("%j has Go type %s", (typed, name) => {
  expect(typeName(goValueOf(typed))).toBe(name);
});

it.each<TypedValue>([
  { type: "int", value: 1.5 },
  { type: "float64", value: "x" },
  { type: "[]float64", value: 1 },
  { type: "[]string", value: [1] },
  { type: "map(int)", value: [] },
  { type: "[]MetricDataResult", value: [1] },
])("refuses %j", (typed) => {
  expect(() => goValueOf(typed)).toThrow(TypedValueError);
});
