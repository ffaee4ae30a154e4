import type { ExperimentExportQuery, ExperimentSummary } from "#lib/contract/experiment.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { listExperiments } from "#lib/server/services/experiments/list-experiments.ts";
import { type CsvColumn, exportList, type ListExport } from "#lib/server/services/export-list.ts";

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
  ["runs.byPhase", ({ runs }) => Object.entries(runs.byPhase).map(([phase, count]) => `${phase} ${count}`)],
  ["presence", ({ presence }) => presence],
  ["updatedAt", ({ updatedAt }) => updatedAt],
];

/** Exports the Experiments that `listExperiments` lists, in the same order. */
export async function exportExperiments({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ExperimentExportQuery;
}): Promise<ListExport> {
  const readPage = (page: { limit: number; cursor: string | undefined }) =>
    listExperiments({ ctx, input: { ...input, ...page } });
  return exportList({ name: "experiments", columns, readPage });
}
