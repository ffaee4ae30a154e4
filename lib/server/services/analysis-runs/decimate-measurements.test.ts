import { describe, expect, it } from "vitest";
import type { Measurement } from "#lib/contract/analysis-run.ts";
import { decimateMeasurements } from "./decimate-measurements.ts";

function measurement(seq: number, overrides: Partial<Measurement> & { number?: number } = {}): Measurement {
  const { number = seq % 10, ...rest } = overrides;
  return {
    metric: "m",
    seq,
    startedAt: new Date(seq * 1000).toISOString(),
    finishedAt: new Date(seq * 1000).toISOString(),
    durationSeconds: null,
    phase: "Successful",
    value: String(number),
    parsed: { kind: "number", number },
    message: "",
    superseded: false,
    ...rest,
  };
}

const series = (count: number) => Array.from({ length: count }, (_, index) => measurement(index + 1));
const notANumber: Partial<Measurement> = { value: "NaN", parsed: { kind: "nan" } };

describe("decimateMeasurements", () => {
  it.each([
    { count: 0, points: 10, kept: 0 },
    { count: 10, points: 10, kept: 10 },
    { count: 11, points: 10, kept: 10 },
    { count: 5000, points: 2, kept: 2 },
    { count: 5000, points: 400, kept: 400 },
  ])("keeps at most $points of $count", ({ count, points, kept }) => {
    const result = decimateMeasurements({ measurements: series(count), points });
    expect(result.length).toBeLessThanOrEqual(points);
    expect(result.length).toBeGreaterThanOrEqual(Math.min(kept, kept * 0.9));
    const seqs = result.map((item) => item.seq);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  });

  it.each([
    { name: "the highest value", at: 777, change: { number: 1e9 } },
    { name: "the lowest value", at: 777, change: { number: -5 } },
    { name: "a failure", at: 778, change: { phase: "Failed" as const } },
    { name: "what is no number", at: 779, change: notANumber },
    { name: "the first", at: 1, change: {} },
    { name: "the last", at: 2000, change: {} },
  ])("keeps $name", ({ at, change }) => {
    const measurements = series(2000).map((item) => (item.seq === at ? measurement(at, change) : item));
    const result = decimateMeasurements({ measurements, points: 50 });
    expect(result.map((item) => item.seq)).toContain(at);
    expect(result.length).toBeLessThanOrEqual(50);
  });

  it("keeps its bound where everything is exceptional", () => {
    const measurements = series(1000).map((item) => measurement(item.seq, notANumber));
    const result = decimateMeasurements({ measurements, points: 30 });
    expect(result.length).toBe(30);
  });

  it("bounds each metric by itself", () => {
    const measurements = [...series(100), ...series(100).map((item) => ({ ...item, metric: "n" }))];
    const result = decimateMeasurements({ measurements, points: 10 });
    expect(result.filter((item) => item.metric === "m").length).toBe(10);
    expect(result.filter((item) => item.metric === "n").length).toBe(10);
  });
});
