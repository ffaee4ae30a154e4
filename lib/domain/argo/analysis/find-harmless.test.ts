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
