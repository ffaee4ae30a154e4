import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { trimMeasurements } from "./trim-measurements.ts";

type Case = {
  id: string;
  metricResults: { name: string; values: string[] }[];
  defaultLimit: number;
  retentionByMetric: Record<string, number>;
  expect: Record<string, string[]>;
};

it.each(loadCases<Case>("analysis-measurement-trim"))("$id", (testCase) => {
  const results = testCase.metricResults.map(({ name, values }) => ({ name, measurements: values.map(measured) }));
  const limits = new Map(Object.entries(testCase.retentionByMetric));
  const trimmed = trimMeasurements(results, limits, testCase.defaultLimit);
  const kept = trimmed.map(({ name, measurements }) => [name, (measurements ?? []).map(({ value }) => value)]);
  expect(Object.fromEntries(kept)).toEqual(testCase.expect);
});

it("keeps the last ten by default, also where a rule's limit is 0", () => {
  const measurements = Array.from({ length: 12 }, (_, index) => measured(String(index)));
  const [trimmed] = trimMeasurements([{ name: "m", count: 12, measurements }], new Map([["m", 0]]));
  expect(trimmed).toEqual({ name: "m", count: 12, measurements: measurements.slice(2) });
});

function measured(value: string) {
  return { phase: "Successful", value } as const;
}
