import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { dryRunMetrics, measurementRetentionLimits } from "./metric-name-rules.ts";

type Case = {
  id: string;
  kind: "dryRun" | "measurementRetention";
  rules: (string | { metricName: string; limit?: number })[];
  metrics: string[];
  expect: { matched?: string[]; error?: string | { equals: string } };
};

it.each(loadCases<Case>("analysis-metric-name-rules"))("$id", (testCase) => {
  const rules = testCase.rules.map((rule) => (typeof rule === "string" ? { metricName: rule } : rule));
  const metrics = testCase.metrics.map((name) => ({ name }));
  const match = testCase.kind === "dryRun" ? dryRunMetrics(rules, metrics) : measurementRetentionLimits(rules, metrics);
  const { error, matched } = testCase.expect;
  if (error !== undefined) expect(match).toEqual({ error: typeof error === "string" ? error : error.equals });
  else expect("matched" in match ? [...match.matched.keys()].sort() : match).toEqual([...(matched ?? [])].sort());
});

it("takes the last of two retention rules that match", () => {
  const rules = [
    { metricName: "rate", limit: 3 },
    { metricName: "success", limit: 7 },
  ];
  expect(measurementRetentionLimits(rules, [{ name: "success-rate" }])).toEqual({
    matched: new Map([["success-rate", 7]]),
  });
});
