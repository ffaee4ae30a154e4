import type { MeasuredAnalysis } from "#components/experiments/group-measured.ts";
import { useRunsWithMeasurements } from "#lib/client/run-page-queries.ts";
import type { ExperimentAnalysis } from "#lib/contract/experiment.ts";

/** Loads the runs of an Experiment's analyses with their measurements. `data` is undefined until all of them are there. */
export function useMeasuredAnalyses(analyses: readonly ExperimentAnalysis[]): {
  data: MeasuredAnalysis[] | undefined;
  error: Error | null;
  retry: () => void;
} {
  const begun = analyses.flatMap((analysis) =>
    analysis.run === null || analysis.run.uid === null ? [] : [{ analysis, uid: analysis.run.uid }],
  );
  const { data, error, retry } = useRunsWithMeasurements(begun.map(({ uid }) => uid));
  const loaded = data?.flatMap((each, index) => {
    const analysis = begun[index]?.analysis;
    return analysis === undefined ? [] : [{ analysis, ...each }];
  });
  return { data: loaded, error, retry };
}
