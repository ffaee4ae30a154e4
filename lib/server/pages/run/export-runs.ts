import type { AnalysisRunExportQuery, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import { listRuns } from "#lib/server/pages/run/list-runs.ts";

const columns: readonly CsvColumn<AnalysisRunSummary>[] = [
  ...columnsOf<AnalysisRunSummary>(["uid", "cluster", "namespace", "name"]),
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ...columnsOf<AnalysisRunSummary>(["type", "stepIndex", "revision", "podHash", "phase", "contradiction", "message"]),
  ...columnsOf<AnalysisRunSummary>(["startedAt", "completedAt", "durationSeconds", "firstSeenAt", "terminated"]),
  ...columnsOf<AnalysisRunSummary>(["measurements", "lostMeasurements", "measurementsExpired", "presence"]),
];

/** Exports the runs that `listRuns` lists, in the same order. */
export const exportRuns = exportOf<AnalysisRunSummary, AnalysisRunExportQuery>({
  name: "analysis-runs",
  columns,
  list: listRuns,
});
