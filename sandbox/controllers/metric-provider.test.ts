import { describe, expect, it } from "vitest";
import type { MetricSpec } from "#lib/domain/argo/analysis/types.ts";
import { imageTag, type MetricAnswer, takeMeasurement } from "./metric-provider.ts";
import { createWorld } from "./testing/sandbox-world.ts";

type Case = { name: string; provider: string; condition?: string; answer: MetricAnswer; expected: object };

const cases: Case[] = [
  {
    name: "prometheus answers with a vector",
    provider: "prometheus",
    condition: "result[0] >= 0.95",
    answer: { value: 0.9512 },
    expected: { phase: "Successful", value: "[0.9512]" },
  },
  {
    name: "zero is a value",
    provider: "prometheus",
    condition: "result[0] <= 0",
    answer: { value: 0 },
    expected: { phase: "Successful", value: "[0]" },
  },
  {
    name: "web answers with a JSON number",
    provider: "web",
    condition: "result > 0.5",
    answer: { value: 0.25 },
    expected: { phase: "Failed", value: "0.25" },
  },
  {
    name: "an empty vector is an error without a value",
    provider: "prometheus",
    condition: "result[0] >= 0.95",
    answer: { noData: true },
    expected: { phase: "Error", message: expect.stringContaining("metric result is nil or empty") },
  },
  {
    name: "an empty vector without conditions is fine",
    provider: "prometheus",
    answer: { noData: true },
    expected: { phase: "Successful", value: "[]" },
  },
  {
    name: "a document without the field is an error",
    provider: "web",
    condition: "result > 0.5",
    answer: { noData: true },
    expected: { phase: "Error", message: expect.stringContaining("Could not find JSONPath") },
  },
  {
    name: "no answer is an error",
    provider: "prometheus",
    answer: { failure: "connection refused" },
    expected: { phase: "Error", message: "connection refused" },
  },
  {
    name: "an unknown provider is an error that names it",
    provider: "datadog",
    answer: { value: 1 },
    expected: { phase: "Error", message: 'the sandbox has no metric provider named "datadog"' },
  },
];

describe("takeMeasurement", () => {
  it.each(cases)("$name", ({ provider, condition, answer, expected }) => {
    const { store } = createWorld();
    const run = store.create(
      "analysisruns",
      { apiVersion: "argoproj.io/v1alpha1", kind: "AnalysisRun", metadata: { name: "run", namespace: "default" } },
      { manager: "test" },
    );
    const metric: MetricSpec = { name: "m", successCondition: condition, provider: { [provider]: {} } };
    expect(takeMeasurement({ source: () => answer, store, run, metric, sequence: 0, nowMs: 0 })).toEqual(expected);
  });
});

describe("imageTag", () => {
  it.each([
    ["registry.internal:5000/payments/checkout:v2.8.1", "v2.8.1"],
    ["registry.internal:5000/payments/checkout", ""],
    ["checkout:latest", "latest"],
  ])("of %s is %o", (image, expected) => {
    expect(imageTag(image)).toBe(expected);
  });
});
