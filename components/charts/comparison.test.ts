import { expect, it } from "vitest";
import {
  fitShorter,
  groupMeasured,
  type MeasuredAnalysis,
  type MeasuredMetric,
  placeSeries,
} from "#components/charts/comparison.tsx";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

const analysis = (name: string, metrics: string[], measures: string | null = null): MeasuredAnalysis => ({
  analysis: { name, measures },
  run: {
    uid: name,
    metrics: metrics.map((metric) => ({ name: metric, phase: "Successful", dryRun: false }) as RunMetric),
    startedAt: null,
    completedAt: null,
    rollout: null,
  },
  measurements: metrics.map((metric) => ({ metric, seq: 1, value: name }) as Measurement),
  leftOut: [{ metric: "rate", count: 3, unsuccessful: 0 }],
});

const names = (analyses: MeasuredAnalysis[]) =>
  groupMeasured(analyses).map(({ name, own, others }) => `${name}: ${own.name} with ${others.map((one) => one.name)}`);

it.each([
  {
    name: "the new version comes first, whatever the order",
    analyses: [analysis("b", ["rate"], "baseline"), analysis("c", ["rate"], "candidate")],
    expected: ["rate: candidate with baseline"],
  },
  {
    name: "a metric of one version has its chart, too",
    analyses: [analysis("one", ["rate", "extra"]), analysis("two", ["rate"])],
    expected: ["rate: one with two", "extra: one with "],
  },
  {
    name: "two analyses of one version have different names, and old is what the version's name says",
    analyses: [
      analysis("errors", ["rate"], "baseline"),
      analysis("like-stable", ["rate"], "candidate"),
      analysis("slow", ["rate"], "candidate"),
    ],
    expected: ["rate: candidate, like-stable with baseline,candidate, slow"],
  },
  { name: "nothing measured", analyses: [analysis("compare", [])], expected: [] },
  {
    name: "names that all sound old",
    analyses: [analysis("stable", ["rate"]), analysis("old", ["rate"])],
    expected: ["rate: stable with old"],
  },
])("$name", ({ analyses, expected }) => {
  expect(names(analyses)).toEqual(expected);
});

it("gives each series its own measurements, and knows a version only if the analysis does", () => {
  const [rate] = groupMeasured([analysis("a", ["rate", "latency"], "candidate"), analysis("b", ["rate"])]);
  expect(rate?.own).toMatchObject({
    name: "candidate",
    template: "candidate",
    measurements: [{ value: "a" }],
    leftOut: { count: 3 },
  });
  expect(rate?.others).toMatchObject([{ name: "b", template: undefined, measurements: [{ value: "b" }] }]);
});

const measured = (startedAt: string, lastAt: string) =>
  ({
    run: { startedAt, rollout: null },
    measurements: [
      {
        metric: "rate",
        seq: 1,
        startedAt: lastAt,
        finishedAt: lastAt,
        value: "1",
        parsed: { kind: "number", number: 1 },
      },
    ],
  }) as unknown as MeasuredMetric["own"];

it.each([
  { name: "10 s and a fifth more of half an hour", ends: ["10:00:10", "10:30:00"], seconds: 12 },
  { name: "all of two runs of a similar length", ends: ["10:42:00", "10:57:00"], seconds: undefined },
  { name: "all, if only one was measured", ends: ["10:42:00"], seconds: undefined },
])("shows $name", ({ ends, seconds }) => {
  const [own, ...others] = ends.map((end) => measured("2026-11-29T10:00:00Z", `2026-11-29T${end}Z`));
  if (own === undefined) throw new Error("no series");
  const start = Date.parse("2026-11-29T10:00:00Z");
  // The whole axis begins before the run.
  const zoom = fitShorter([{ own, others }], [start - 36_000, start + 1_836_000]);
  expect(zoom).toEqual(seconds === undefined ? undefined : [start - 500, start + seconds * 1000]);
});

const series = (startedAt: string, stepSeconds: number, count: number) =>
  ({
    run: { startedAt, rollout: null },
    measurements: Array.from({ length: count }, (_, index) => {
      const at = new Date(Date.parse(startedAt) + (index + 1) * stepSeconds * 1_000).toISOString();
      return {
        metric: "rate",
        seq: index + 1,
        startedAt: at,
        finishedAt: at,
        value: "1",
        parsed: { kind: "number", number: 1 },
      };
    }),
  }) as unknown as MeasuredMetric["own"];

it("places a run by its start, but by measurement number if it was measured at another interval", () => {
  const own = series("2026-11-29T10:00:00Z", 2, 3);
  const offsets = (other: MeasuredMetric["own"]) => {
    const { points, isByNumber } = placeSeries(other, own);
    return { isByNumber, at: points.map(({ atMs }) => (atMs - Date.parse("2026-11-29T10:00:00Z")) / 1_000) };
  };
  expect(offsets(series("2026-11-28T10:00:00Z", 3, 4))).toEqual({ isByNumber: false, at: [3, 6, 9, 12] });
  expect(offsets(series("2026-11-28T10:00:00Z", 180, 4))).toEqual({ isByNumber: true, at: [2, 4, 6, 8] });
});
