import type { ExperimentExportQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import { listExperiments } from "#lib/server/pages/experiment/list-experiments.ts";
import { type CsvColumn, exportOf, formatPhaseCounts } from "#lib/server/pages/export-list.ts";

const columns: readonly CsvColumn<ExperimentSummary>[] = [
  ["uid", ({ uid }) => uid],
  ["cluster", ({ cluster }) => cluster],
  ["namespace", ({ namespace }) => namespace],
  ["name", ({ name }) => name],
  ["rollout.kind", ({ rollout }) => rollout?.kind],
  ["rollout.name", ({ rollout }) => rollout?.name],
  ["revision", ({ revision }) => revision],
  ["podHash", ({ podHash }) => podHash],
  ["phase", ({ phase }) => phase],
  ["message", ({ message }) => message],
  ["createdAt", ({ createdAt }) => createdAt],
  ["availableAt", ({ availableAt }) => availableAt],
  ["completedAt", ({ completedAt }) => completedAt],
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => formatPhaseCounts(runs.byPhase)],
  ["presence", ({ presence }) => presence],
  ["updatedAt", ({ updatedAt }) => updatedAt],
];

/** Exports the Experiments that `listExperiments` lists, in the same order. */
export const exportExperiments = exportOf<ExperimentSummary, ExperimentExportQuery>({
  name: "experiments",
  columns,
  list: listExperiments,
});
