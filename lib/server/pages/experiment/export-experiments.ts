import type { ExperimentExportQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import { listExperiments } from "#lib/server/pages/experiment/list-experiments.ts";
import { type CsvColumn, columnsOf, exportOf, formatPhaseCounts } from "#lib/server/pages/export-list.ts";

const columns: readonly CsvColumn<ExperimentSummary>[] = [
  ...columnsOf<ExperimentSummary>(["uid", "cluster", "namespace", "name"]),
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ...columnsOf<ExperimentSummary>(["revision", "podHash", "phase", "message", "createdAt", "availableAt"]),
  ["completedAt", ({ completedAt }) => completedAt],
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => formatPhaseCounts(runs.byPhase)],
  ...columnsOf<ExperimentSummary>(["presence", "updatedAt"]),
];

/** Exports the Experiments that `listExperiments` lists, in the same order. */
export const exportExperiments = exportOf<ExperimentSummary, ExperimentExportQuery>({
  name: "experiments",
  columns,
  list: listExperiments,
});
