import { describe, expect, it } from "vitest";
import {
  describeController,
  formatQuantile,
  formatReading,
  formatValue,
  sumControllers,
} from "./describe-controller.ts";

const values: [value: number, unit: string, text: string][] = [
  [0, "count", "0"],
  [-0, "seconds", "0 ms"],
  [1284, "count", "1,284"],
  [0.4, "count", "0.4"],
  [12.34, "count", "12"],
  [0.0043, "seconds", "4.3 ms"],
  [0.15, "seconds", "150 ms"],
  [2.5, "seconds", "2.5 s"],
  [52_000_000, "bytes", "52 MB"],
  [3_200_000_000, "bytes", "3.2 GB"],
];

it.each<[states: Parameters<typeof sumControllers>[0][number]["state"][], says: string]>([
  [["up", "up"], "All 2 controllers are up."],
  [["unknown"], "The only controller is unknown."],
  [["up", "down", "up", "unwell"], "Of 4 controllers, 1 is down, 1 is unhealthy and 2 are up."],
])("%j: %s", (given, says) => {
  expect(sumControllers(given.map((state) => ({ state })))).toBe(says);
});

describe("a value", () => {
  it.each(values)("%d %s is %s", (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text);
  });
});

const reading = { label: "Errors", unit: "count" } as const;
const readings = [
  { name: "no such metric", given: null, text: "not reported" },
  { name: "zero", given: { ...reading, presence: "present", value: 0 }, text: "0 / min" },
  { name: "a number", given: { ...reading, presence: "present", value: 2.4 }, text: "2.4 / min" },
  { name: "nothing to count", given: { ...reading, presence: "present", value: null }, text: "not reported" },
  { name: "a counter without events", given: { ...reading, presence: "none-yet", value: null }, text: "none yet" },
  { name: "what is absent", given: { ...reading, presence: "not-available", value: null }, text: "not reported" },
  { name: "too many labels", given: { ...reading, presence: "too-many", value: null }, text: "not reported" },
] as const;

describe("a reading of", () => {
  it.each(readings)("$name is $text", ({ given, text }) => {
    expect(formatReading(given, " / min")).toBe(text);
  });
});

it("a percentile says its bucket", () => {
  expect(formatQuantile({ value: 0.08, from: 0.01, to: 0.15 })).toEqual({
    text: "about 80 ms",
    bucket: "10 ms to 150 ms",
  });
  expect(formatQuantile({ value: 1, from: 1, to: null })).toEqual({ text: "over 1 s", bucket: undefined });
});

it("a controller that is known by its pods only says how to read its metrics", () => {
  const { todo } = describeController({
    ...{ reason: "pods-ready", via: null, error: null, probe: null },
    ...{ consecutiveFailures: 0, component: "flagger" },
  });
  expect(todo).toContain("component: flagger");
});

it.each(["prometheus-silent", "no-credentials", "denied"] as const)(
  "a controller that cannot be asked (%s) is not said to be down",
  (reason) => {
    const { meaning, todo } = describeController({
      ...{ reason, via: "endpoint", error: { code: "denied", message: "the answer was 401" }, probe: null },
      ...{ consecutiveFailures: 9, component: "flagger" },
    });
    expect(meaning).toMatch(/^Unknown: .*the answer was 401/);
    expect(todo).toContain("clusters[].controllers");
  },
);
