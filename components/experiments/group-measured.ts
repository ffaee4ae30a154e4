import type { AnalysisRunDetail, LeftOut, Measurement, RunMetric } from "#lib/contract/analysis-run.ts";
import type { ExperimentAnalysis } from "#lib/contract/experiment.ts";

export type MeasuredAnalysis = {
  analysis: Pick<ExperimentAnalysis, "name" | "measures">;
  run: Pick<AnalysisRunDetail, "metrics" | "startedAt" | "completedAt">;
  measurements: readonly Measurement[];
  /** The measurements that the server left out. */
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
 * Groups the series of an Experiment's analyses by metric, for metrics that several analyses measured. All others are
 * compared with the newer version's series (`own`): the first whose name is not that of an old version.
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
