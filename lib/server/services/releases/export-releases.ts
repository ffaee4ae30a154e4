import type { Release } from "#lib/contract/rollout.ts";
import type { ReleaseExportQuery } from "#lib/contract/rollout-lists.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { type CsvColumn, exportList, type ListExport } from "#lib/server/services/export-list.ts";
import { listReleases } from "#lib/server/services/releases/list-releases.ts";

const columns: readonly CsvColumn<Release>[] = [
  ["id", ({ id }) => id],
  ["rollout.cluster", ({ rollout }) => rollout.cluster],
  ["rollout.namespace", ({ rollout }) => rollout.namespace],
  ["rollout.kind", ({ rollout }) => rollout.kind],
  ["rollout.name", ({ rollout }) => rollout.name],
  ["revision", ({ revision }) => revision],
  ["runKey", ({ runKey }) => runKey],
  ["attempt", ({ attempt }) => attempt],
  ["state", ({ state }) => state],
  ["waitsFor", ({ waitsFor }) => waitsFor],
  ["message", ({ message }) => message],
  ["images", ({ images }) => images],
  ["startedAt", ({ startedAt }) => startedAt],
  ["endedAt", ({ endedAt }) => endedAt],
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => Object.entries(runs.byPhase).map(([phase, count]) => `${phase} ${count}`)],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ["acts.total", ({ acts }) => acts.total],
  [
    "acts.latest",
    ({ acts }) => acts.latest.map(({ time, who, did, reason }) => describeAct({ time, who, did, reason })),
  ],
];

/** Exports the releases that `listReleases` lists, in the same order. */
export async function exportReleases({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: ReleaseExportQuery;
}): Promise<ListExport> {
  const readPage = (page: { limit: number; cursor: string | undefined }) =>
    listReleases({ ctx, input: { ...input, ...page } });
  return exportList({ name: "releases", columns, readPage });
}

type Act = Pick<Release["acts"]["latest"][number], "time" | "who" | "did" | "reason">;

function describeAct({ time, who, did, reason }: Act): string {
  return `${time} ${who} ${did}${reason === null || reason === "" ? "" : ` (${reason})`}`;
}
