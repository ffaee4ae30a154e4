import type { AnalysisRunExportQuery, AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { type CsvColumn, exportOf } from "#lib/server/pages/export-list.ts";
import { listRuns } from "#lib/server/pages/run/list-runs.ts";

const columns: readonly CsvColumn<AnalysisRunSummary>[] = [
  ["uid", ({ uid }) => uid],
  ["cluster", ({ cluster }) => cluster],
  ["namespace", ({ namespace }) => namespace],
  ["name", ({ name }) => name],
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ["type", ({ type }) => type],
  ["stepIndex", ({ stepIndex }) => stepIndex],
  ["revision", ({ revision }) => revision],
  ["podHash", ({ podHash }) => podHash],
  ["phase", ({ phase }) => phase],
  ["contradiction", ({ contradiction }) => contradiction],
  ["message", ({ message }) => message],
  ["startedAt", ({ startedAt }) => startedAt],
  ["completedAt", ({ completedAt }) => completedAt],
  ["durationSeconds", ({ durationSeconds }) => durationSeconds],
  ["firstSeenAt", ({ firstSeenAt }) => firstSeenAt],
  ["terminated", ({ terminated }) => terminated],
  ["measurements", ({ measurements }) => measurements],
  ["lostMeasurements", ({ lostMeasurements }) => lostMeasurements],
  ["measurementsExpired", ({ measurementsExpired }) => measurementsExpired],
  ["presence", ({ presence }) => presence],
];

/** Exports the runs that `listRuns` lists, in the same order. */
export const exportRuns = exportOf<AnalysisRunSummary, AnalysisRunExportQuery>({
  name: "analysis-runs",
  columns,
  list: listRuns,
});
