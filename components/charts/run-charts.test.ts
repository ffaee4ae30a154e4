import { expect, it } from "vitest";
import { findWeightsEnd, prepareSurroundings } from "#components/charts/run-charts.tsx";
import type { EarlierSeries, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

const startedAt = "2026-11-20T10:00:00.000Z";
const start = Date.parse(startedAt);
const run = {
  startedAt,
  completedAt: null as string | null,
  metrics: [{ name: "rate" }, { name: "latency" }] as RunMetric[],
  marks: [
    {
      at: "2026-11-20T10:00:05.000Z",
      kind: "person" as const,
      text: "operator asked to pause it",
      did: "asked to pause it",
      auditSeq: 3,
      outcomeSeq: null,
    },
  ],
};
const series = (metric: string): EarlierSeries => ({
  ...{ uid: "u", name: "r", phase: "Successful", revision: 1, startedAt: "2026-11-01T00:00:00.000Z", metric },
  points: [{ seq: 1, offsetSeconds: 2.5, low: 1, high: 4 }],
});
const timeDomain = [start, start + 60_000] as const;

it("moves earlier runs to the start of this one, each to its metric", () => {
  const prepared = prepareSurroundings({
    run,
    measurements: [],
    earlier: [series("rate"), series("gone")],
  });
  expect(prepared.get("rate")?.earlier).toEqual([
    { uid: "u", stretches: [{ seq: 1, atMs: start + 2_500, low: 1, high: 4 }] },
  ]);
  expect(prepared.get("latency")?.earlier).toEqual([]);
  expect(prepared.has("gone")).toBe(false);
});

it("has the events around every metric, and no shade below the strip of the weight", () => {
  const prepared = prepareSurroundings({ run, measurements: [], earlier: [] });
  for (const name of ["rate", "latency"])
    expect(prepared.get(name)).toEqual({
      marks: [{ atMs: start + 5_000, kind: "person", text: "operator asked to pause it", did: "asked to pause it" }],
      isEarlierByNumber: false,
      earlier: [],
    });
});

it("shows the weight until the run's end, after which it is unknown", () => {
  const ended = { ...run, completedAt: "2026-11-20T10:00:40.000Z" };
  expect(findWeightsEnd(ended, timeDomain)).toBe(start + 40_000);
  expect(findWeightsEnd(ended, [start, start + 30_000])).toBe(start + 30_000);
  expect(findWeightsEnd(run, timeDomain)).toBe(start + 60_000);
});

it("has no place for earlier runs while this one has not started", () => {
  const prepared = prepareSurroundings({
    run: { ...run, startedAt: null },
    measurements: [],
    earlier: [series("rate")],
  });
  expect(prepared.get("rate")?.earlier).toEqual([]);
});

it("draws earlier runs by measurement number if they were measured at another interval", () => {
  const measurements = [1, 2, 3].map(
    (seq) =>
      ({
        ...{ metric: "rate", seq, value: "1", parsed: { kind: "number", number: 1 } },
        finishedAt: new Date(start + seq * 2_000).toISOString(),
      }) as Measurement,
  );
  const points = [1, 2, 3, 4].map((seq) => ({ seq, offsetSeconds: seq * 180, low: seq, high: seq }));
  const prepared = prepareSurroundings({ run, measurements, earlier: [{ ...series("rate"), points }] });
  const drawn = prepared.get("rate");
  expect(drawn?.isEarlierByNumber).toBe(true);
  expect(drawn?.earlier[0]?.stretches.map(({ atMs }) => atMs - start)).toEqual([2_000, 4_000, 6_000, 8_000]);
});
