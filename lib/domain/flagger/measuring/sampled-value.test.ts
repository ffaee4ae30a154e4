import { expect, it } from "vitest";
import { findSampledValue } from "./sampled-value.ts";
import { timeAt } from "./testing/run-messages.ts";

const success = { name: "success", thresholdRange: { min: 0.9 } };
const duration = { name: "request-duration", thresholdRange: { max: 500 } };
const round = { at: timeAt(10), isTimeExact: true };

it.each([
  { name: "between two rounds", values: [[15, 0.95]], found: 0.95 },
  {
    name: "the first of several",
    values: [
      [9, 0.91],
      [12, 0.95],
      [15, 0.96],
    ],
    found: 0.95,
  },
  { name: "0 is a value", values: [[15, 0]], metric: { name: "errors", thresholdRange: { max: 3 } }, found: 0 },
  { name: "none", values: [], found: undefined },
  { name: "only one of the round before", values: [[9, 0.95]], found: undefined },
  { name: "only one of the next round", values: [[20, 0.95]], found: undefined },
  { name: "too close to the round", values: [[10.5, 0.95]], found: undefined },
  { name: "too close to the next round", values: [[19.5, 0.95]], found: undefined },
  { name: "one that would have failed", values: [[15, 0.5]], found: undefined },
  { name: "a duration, whose limit has another unit", values: [[15, 0.4]], metric: duration, found: 0.4 },
  { name: "a duration that would have failed", values: [[15, 0.6]], metric: duration, found: undefined },
  { name: "the next round came late", values: [[25, 0.95]], nextAt: timeAt(40), found: undefined },
  { name: "the last round", values: [[15, 0.95]], nextAt: undefined, found: 0.95 },
  {
    name: "a round whose time is not known",
    values: [[15, 0.95]],
    round: { ...round, isTimeExact: false },
    found: undefined,
  },
])("$name", ({ values, found, ...given }) => {
  const samples = values.map(([seconds = 0, value = 0]) => ({ at: Date.parse(timeAt(seconds)), value }));
  const asked = { metric: success, round, nextAt: timeAt(20), spec: { interval: "10s" }, samples, ...given };
  expect(findSampledValue(asked)).toBe(found);
});
