import { expect, it } from "vitest";
import type { TypedValue } from "#lib/expr/typed-value.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { evaluateResult } from "./evaluate-result.ts";
import { typedValueOf } from "./recorded-result.ts";
import type { AnalysisPhase } from "./types.ts";

type Case = {
  id: string;
  provider: string;
  result?: TypedValue;
  successCondition: string;
  failureCondition: string;
  expect: { phase: AnalysisPhase; value?: string };
};

const recorded = loadCases<Case>("analysis-provider-measurement").flatMap((testCase) => {
  const { result, expect: expected } = testCase;
  const { value } = expected;
  return result === undefined || value === undefined || value === "" ? [] : [{ ...testCase, value }];
});

it.each(recorded)("$id $provider: $value gives the verdict back", (testCase) => {
  const found = typedValueOf(testCase.provider, testCase.value);
  if ("unrecoverable" in found) throw new Error(found.unrecoverable);
  expect(evaluateResult({ ...testCase, result: found.result }).phase).toBe(testCase.expect.phase);
});

it.each<[string, string, TypedValue, number?]>([
  ["prometheus", "NaN", { type: "float64", value: "NaN" }],
  ["prometheus", "[0.98,NaN]", { type: "[]float64", value: [0.98, "NaN"] }],
  ["prometheus", "[]", { type: "[]float64", value: [] }],
  ["datadog", "[]", { type: "*float64", value: null }],
  ["datadog", "null", { type: "*float64", value: null }],
  ["datadog", "[null]", { type: "*float64", value: null }],
  ["datadog", '[{"pointlist":[]}]', { type: "*float64", value: null }],
  ["datadog", '{"Columns":null}', { type: "*float64", value: null }],
  ["graphite", "[10.000000,0.5]", { type: "[]float64", value: [10, 0.5] }, 0.0000005],
  ["wavefront", "10.00", { type: "float64", value: 10 }, 0.005],
  ["web", "OK", { type: "string", value: "OK" }],
  ["web", "null", { type: "json", value: null }],
  ["influxdb", "[1 6.6]", { type: "[]any", value: [1, 6.6] }],
  ["cloudWatch", "[[0.1 0.2] []]", { type: "[]MetricDataResult", value: [{ Values: [0.1, 0.2] }, { Values: [] }] }],
])("%s %s", (provider, text, result, rounding = 0) => {
  expect(typedValueOf(provider, text)).toEqual({ result, rounding });
});

it.each([
  ["prometheus", ""],
  ["prometheus", "many"],
  ["newRelic", "{"],
  ["influxdb", "[one 2]"],
  ["influxdb", "[[1]]"],
  ["cloudWatch", "[0.1 0.2]"],
  ["plugin", "1"],
  ["job", "1"],
])("%s %j cannot be recovered", (provider, text) => {
  expect(typedValueOf(provider, text)).toHaveProperty("unrecoverable");
});
