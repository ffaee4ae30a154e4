import type { AnalysisRunDetail, LeftOut, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import type { ExperimentAnalysis } from "#lib/contract/experiment.ts";

export type MeasuredAnalysis = {
  analysis: Pick<ExperimentAnalysis, "name" | "measures">;
  run: Pick<AnalysisRunDetail, "metrics" | "startedAt" | "completedAt">;
  measurements: readonly Measurement[];
  /** What the server left out of them. */
  leftOut: readonly LeftOut[];
};

/** One version's values of a metric. */
export type MeasuredSeries = {
  /** The version, or the analysis if it is not certain which one it measures. */
  name: string;
  /** Undefined unless the analysis is known to measure this one version. */
  template: string | undefined;
  metric: RunMetric;
  measurements: readonly Measurement[];
  leftOut: LeftOut | undefined;
};

export type MeasuredMetric = { name: string; own: MeasuredSeries; others: MeasuredSeries[] };

/**
 * Groups what the analyses of an Experiment measured by metric, for those that several of them measured. The series that
 * all others are compared with is the newer version's: the first that does not have the name of an old one.
 */
export function groupMeasured(analyses: readonly MeasuredAnalysis[]): MeasuredMetric[] {
  const series = analyses.flatMap(({ analysis, run, measurements, leftOut }) =>
    run.metrics.map(
      (metric): MeasuredSeries => ({
        name: analysis.measures ?? analysis.name,
        template: analysis.measures ?? undefined,
        metric,
        measurements: measurements.filter((measurement) => measurement.metric === metric.name),
        leftOut: leftOut.find((each) => each.metric === metric.name),
      }),
    ),
  );
  return [...Map.groupBy(series, ({ metric }) => metric.name)].flatMap(([name, all]) => {
    const own = all.find((one) => !isOldName(one.name)) ?? all[0];
    if (own === undefined || all.length < 2) return [];
    return [{ name, own, others: all.filter((one) => one !== own) }];
  });
}

function isOldName(name: string): boolean {
  return /baseline|stable|control|old|current|primary/i.test(name);
}
