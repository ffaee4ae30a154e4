import { expect, it } from "vitest";
import { findHarmless } from "./find-harmless.ts";
import type { MetricSpec } from "./types.ts";

const provider = { prometheus: { address: "http://prometheus", query: "up" } };

it.each<{ name: string; metric: Partial<MetricSpec>; dryRun?: boolean; why?: string }>([
  { name: "a condition that a value can miss", metric: { successCondition: "result[0] > 1" } },
  { name: "no condition", metric: {}, why: "It has no condition, so every value counts as good." },
  {
    name: "no condition, but the provider decides",
    metric: { provider: { job: { spec: { template: { spec: { containers: [] } } } } } },
  },
  { name: "no condition in a dry run", metric: {}, dryRun: true },
  {
    name: "a constant condition",
    metric: { successCondition: " true " },
    why: "Its conditions are constant, so every value counts as good.",
  },
  { name: "a constant failure", metric: { failureCondition: "true" } },
  {
    name: "a success that is constant, and a failure that is not",
    metric: { successCondition: "true", failureCondition: "result[0] > 1" },
  },
  {
    name: "as many failures tolerated as there are measurements",
    metric: { successCondition: "result[0] > 1", count: 3, interval: "1m", failureLimit: 3 },
    why: "It measures 3 times and tolerates 3 bad values.",
  },
  {
    name: "one failure fewer tolerated",
    metric: { successCondition: "result[0] > 1", count: 3, interval: "1m", failureLimit: 2 },
  },
  {
    name: "a single measurement, one tolerated",
    metric: { successCondition: "result[0] > 1", failureLimit: "1" },
    why: "It measures once and tolerates 1 bad value.",
  },
  {
    name: "a negative count, which means one measurement",
    metric: { successCondition: "result[0] > 1", interval: "1m", count: -5 },
  },
  {
    name: "a negative count and one failure tolerated",
    metric: { successCondition: "result[0] > 1", interval: "1m", count: -5, failureLimit: 1 },
    why: "It measures once and tolerates 1 bad value.",
  },
  {
    name: "no condition, but an error reaches a negative count without the success required",
    metric: { interval: "1m", count: -5, consecutiveSuccessLimit: 1 },
  },
  {
    name: "no condition, but more successes required than there are measurements",
    metric: { consecutiveSuccessLimit: 2 },
  },
  {
    name: "no condition, but an error between two values misses the successes required",
    metric: { count: 2, interval: "1m", consecutiveSuccessLimit: 2 },
  },
  {
    name: "no condition, and an error ends it before successes are missed",
    metric: { count: 2, interval: "1m", consecutiveSuccessLimit: 2, consecutiveErrorLimit: 0 },
    why: "It has no condition, so every value counts as good.",
  },
  {
    name: "no condition, but an inconclusive limit that is negative in 32 bits",
    metric: { inconclusiveLimit: "2147483648" },
  },
  {
    name: "a failure limit that is negative in 32 bits, which disables it",
    metric: { successCondition: "result[0] > 1", interval: "1m", failureLimit: "2147483648" },
    why: "It measures without end and tolerates any number of bad values.",
  },
  {
    name: "an endless metric with a high limit",
    metric: { successCondition: "result[0] > 1", interval: "1m", failureLimit: 1000 },
  },
  {
    name: "a spec that the controller refuses",
    metric: { successCondition: "result[0] > 1", interval: "1m", failureLimit: -1 },
  },
  {
    name: "no failure limit, but successes are required",
    metric: { successCondition: "result[0] > 1", interval: "1m", failureLimit: -1, consecutiveSuccessLimit: 2 },
  },
  {
    name: "tolerates failures, but may ask a person",
    metric: {
      successCondition: "result[0] > 2",
      failureCondition: "result[0] < 1",
      count: 2,
      interval: "1m",
      failureLimit: 2,
    },
  },
  {
    name: "tolerates failures and open results",
    metric: {
      successCondition: "result[0] > 2",
      failureCondition: "result[0] < 1",
      count: 2,
      interval: "1m",
      failureLimit: 2,
      inconclusiveLimit: 2,
    },
    why: "It measures 2 times and tolerates 2 bad values.",
  },
])("$name", ({ metric, dryRun = false, why }) => {
  const metrics = [{ name: "errors", provider, ...metric }];
  const found = findHarmless({ metrics, ...(dryRun ? { dryRun: [{ metricName: "errors" }] } : {}) });
  expect(found).toEqual(why === undefined ? [] : [{ metric: "errors", why }]);
});
