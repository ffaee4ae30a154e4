import { expect, it } from "vitest";
import { groupMeasured, type MeasuredAnalysis } from "#components/charts/comparison.tsx";
import type { Measurement, RunMetric } from "#lib/contract/analysis-run.ts";

const analysis = (name: string, metrics: string[], measures: string | null = null): MeasuredAnalysis => ({
  analysis: { name, measures },
  run: {
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
