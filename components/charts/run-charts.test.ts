import { expect, it } from "vitest";
import { prepareSurroundings } from "#components/charts/run-charts.tsx";
import type { EarlierSeries, RunMetric } from "#lib/contract/analysis-run.ts";

const startedAt = "2026-11-20T10:00:00.000Z";
const start = Date.parse(startedAt);
const run = {
  startedAt,
  metrics: [{ name: "rate" }, { name: "latency" }] as RunMetric[],
  weights: [{ at: startedAt, weight: 20 }],
  marks: [
    {
      at: "2026-11-20T10:00:05.000Z",
      kind: "person" as const,
      text: "operator asked to pause it",
      auditSeq: 3,
      outcomeSeq: null,
    },
  ],
};
const series = (metric: string): EarlierSeries => ({
  ...{ uid: "u", name: "r", phase: "Successful", revision: 1, startedAt: "2026-11-01T00:00:00.000Z", metric },
  points: [{ offsetSeconds: 2.5, low: 1, high: 4 }],
});
const timeDomain = [start, start + 60_000] as const;

it("moves earlier runs to the start of this one, each to its metric", () => {
  const prepared = prepareSurroundings({ run, earlier: [series("rate"), series("gone")], timeDomain });
  expect(prepared.get("rate")?.earlier).toEqual([{ uid: "u", stretches: [{ atMs: start + 2_500, low: 1, high: 4 }] }]);
  expect(prepared.get("latency")?.earlier).toEqual([]);
  expect(prepared.has("gone")).toBe(false);
});

it("has the weight and what happened around every metric", () => {
  const prepared = prepareSurroundings({ run, earlier: [], timeDomain });
  for (const name of ["rate", "latency"])
    expect(prepared.get(name)).toMatchObject({
      weights: [{ atMs: start, weight: 20 }],
      marks: [{ atMs: start + 5_000, kind: "person" }],
    });
});

it("has no place for earlier runs while this one has not started", () => {
  const prepared = prepareSurroundings({ run: { ...run, startedAt: null }, earlier: [series("rate")], timeDomain });
  expect(prepared.get("rate")?.earlier).toEqual([]);
});
