import { describe, expect, it } from "vitest";
import {
  describeExperimentLane,
  describeRunLane,
  isWorthSplitting,
  nameWithin,
} from "#components/releases/course-words.ts";

describe("describeRunLane", () => {
  it.each([
    [{ phase: "Successful", message: "" }, "Analysis step 2: Successful"],
    [
      { phase: "Failed", message: "errors failed twice", decided: true },
      "Analysis step 2: Failed, decided the release. errors failed twice",
    ],
  ] as const)("%j", (run, words) => {
    expect(describeRunLane("step 2", run)).toBe(words);
  });
});

it("names an analysis of an Experiment by what is its own", () => {
  expect(nameWithin("app-1", { name: "app-1-candidate" })).toBe("candidate");
  expect(nameWithin("app-1", { name: "other" })).toBe("other");
});

describe("describeExperimentLane", () => {
  const templates = [
    { name: "baseline", status: "Running", images: ["registry.internal/app:v1"] },
    { name: "candidate", status: "Running", images: [] },
  ];

  it("names the versions that it runs", () => {
    expect(describeExperimentLane({ name: "app-1", phase: "Inconclusive", message: "one metric", templates })).toBe(
      "Experiment app-1: Inconclusive. one metric. Side by side: baseline (v1), candidate",
    );
  });

  it("says no more than is known", () => {
    expect(describeExperimentLane({ name: "app-1", phase: "Running", message: "", templates: [] })).toBe(
      "Experiment app-1: Running",
    );
  });
});

it.each([
  { name: "a short release", seconds: { analysing: 59 }, isWorth: false },
  { name: "a minute", seconds: { analysing: 60 }, isWorth: true },
  { name: "a short one that waited for a person", seconds: { analysing: 5, waiting: 3 }, isWorth: true },
  { name: "a short one that was paused by a person", seconds: { held: 3 }, isWorth: true },
  { name: "one under way", to: null, seconds: { analysing: 5 }, isWorth: true },
])("splits the time of $name: $isWorth", ({ to = "2026-11-28T10:00:00Z", seconds, isWorth }) => {
  const activities = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0, ...seconds };
  const total = Object.values(activities).reduce((sum, each) => sum + each, 0);
  expect(isWorthSplitting({ from: "2026-11-28T09:00:00Z", to, time: { total, activities, frozen: 0 } })).toBe(isWorth);
});
