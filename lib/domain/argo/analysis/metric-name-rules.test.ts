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

it.each<[string, string[], string]>([
  ["a pattern that unfolds too far", ["(a?){1000}".repeat(9)], "m"],
  ["a long pattern", ["a".repeat(5_000)], "m"],
  ["classes of many characters", Array.from({ length: 50 }, () => `m|(?i)${"[\\pL\\PN]".repeat(100)}`), "m"],
  ["many rules on a long name", Array.from({ length: 1000 }, () => "(a|b|c.*)*x|a"), "a".repeat(20_000)],
])("ends %s within the engine's budget", (_, patterns, name) => {
  const started = performance.now();
  const rules = patterns.map((metricName) => ({ metricName }));
  expect(dryRunMetrics(rules, [{ name }])).toHaveProperty(
    "error",
    expect.stringMatching(/too (many|large)|longer than/),
  );
  expect(performance.now() - started).toBeLessThan(1_000);
});
