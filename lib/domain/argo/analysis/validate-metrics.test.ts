import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import type { MetricSpec } from "./types.ts";
import { validateMetric, validateMetrics } from "./validate-metrics.ts";

type Case = { id: string; metrics: MetricSpec[]; expect: { error: null | { equals?: string; matches?: string } } };

it.each(loadCases<Case>("analysis-validate-metrics"))("$id", ({ metrics, expect: { error } }) => {
  const actual = validateMetrics(metrics);
  if (error?.matches !== undefined) expect(actual).toMatch(new RegExp(error.matches));
  else expect(actual).toBe(error?.equals);
});

it.each<[Partial<MetricSpec>, string | undefined]>([
  [{}, undefined],
  [{ consecutiveSuccessLimit: -1 }, "consecutiveSuccessLimit must be >= 0"],
  [{ failureLimit: -2 }, "failureLimit must be >= 0, or -1 to be disabled"],
  [{ failureLimit: -1 }, "failureLimit and consecutiveSuccessLimit cannot both be disabled"],
  [{ failureLimit: "-1", consecutiveSuccessLimit: "1" }, undefined],
  [{ inconclusiveLimit: -1 }, "inconclusiveLimit must be >= 0"],
  [{ consecutiveErrorLimit: -1 }, "consecutiveErrorLimit must be >= 0"],
  [{ failureLimit: -1, consecutiveSuccessLimit: 3, count: 2 }, "count must be >= consecutiveSuccessLimit"],
  [{ count: 1, inconclusiveLimit: 2 }, "count must be >= inconclusiveLimit"],
  [{ count: 2 }, "interval must be specified when count > 1"],
  [{ interval: "soon" }, 'invalid interval string: time: invalid duration "soon"'],
  [{ initialDelay: "5" }, 'invalid startDelay string: time: missing unit in duration "5"'],
  [{ provider: {} }, "no provider specified"],
  [{ provider: { web: {}, job: {} } }, "multiple providers specified"],
  [{ provider: { plugin: { a: {}, b: {} } } }, "multiple providers specified"],
  [{ provider: { plugin: { a: {} } } }, undefined],
])("%j gives %s", (metric, error) => {
  expect(validateMetric({ name: "m", provider: { web: {} }, ...metric })).toBe(error);
});
