import { expect, it } from "vitest";
import { applyMeasurement } from "./counters.ts";
import type { AnalysisPhase, MetricResult } from "./types.ts";

const before: MetricResult = {
  name: "m",
  count: 3,
  successful: 1,
  failed: 1,
  inconclusive: 1,
  error: 1,
  consecutiveError: 1,
  consecutiveSuccess: 1,
};

it.each<[AnalysisPhase, Partial<MetricResult>]>([
  ["Successful", { count: 4, successful: 2, consecutiveError: 0, consecutiveSuccess: 2 }],
  ["Failed", { count: 4, failed: 2, consecutiveError: 0, consecutiveSuccess: 0 }],
  ["Inconclusive", { count: 4, inconclusive: 2, consecutiveError: 0, consecutiveSuccess: 0 }],
  ["Error", { count: 3, error: 2, consecutiveError: 2, consecutiveSuccess: 0 }],
  ["Running", {}],
])("%s moves the counters", (phase, counters) => {
  expect(applyMeasurement(before, { phase })).toEqual({ ...before, ...counters, measurements: [{ phase }] });
});

it("replaces the measurement in flight and appends after a finished one", () => {
  const started = applyMeasurement({ name: "m" }, { phase: "Running", startedAt: "2026-01-01T00:00:00Z" });
  const finished = { phase: "Failed", startedAt: "2026-01-01T00:00:00Z", finishedAt: "2026-01-01T00:00:01Z" } as const;
  const done = applyMeasurement(started, finished);
  expect(done.measurements).toEqual([finished]);
  expect(applyMeasurement(done, finished).measurements).toEqual([finished, finished]);
});
