import type { Release } from "#lib/contract/rollout.ts";
import type { ReleaseExportQuery } from "#lib/contract/rollout-lists.ts";
import { type CsvColumn, columnsOf, exportOf, formatPhaseCounts } from "#lib/server/pages/export-list.ts";
import { listReleases } from "#lib/server/pages/release/list-releases.ts";

const columns: readonly CsvColumn<Release>[] = [
  ["id", ({ id }) => id],
  ["rollout.cluster", ({ rollout }) => rollout.cluster],
  ["rollout.namespace", ({ rollout }) => rollout.namespace],
  ["rollout.kind", ({ rollout }) => rollout.kind],
  ["rollout.name", ({ rollout }) => rollout.name],
  ...columnsOf<Release>(["revision", "runKey", "attempt", "state", "waitsFor", "message"]),
  ["images", ({ images }) => images],
  ...columnsOf<Release>(["startedAt", "endedAt"]),
  ["runs.total", ({ runs }) => runs.total],
  ["runs.byPhase", ({ runs }) => formatPhaseCounts(runs.byPhase)],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ["acts.total", ({ acts }) => acts.total],
  [
    "acts.latest",
    ({ acts }) => acts.latest.map(({ time, who, did, reason }) => describeAct({ time, who, did, reason })),
  ],
];

/** Exports the releases that `listReleases` lists, in the same order. */
export const exportReleases = exportOf<Release, ReleaseExportQuery>({ name: "releases", columns, list: listReleases });

type Act = Pick<Release["acts"]["latest"][number], "time" | "who" | "did" | "reason">;

function describeAct({ time, who, did, reason }: Act): string {
  return `${time} ${who} ${did}${reason === null || reason === "" ? "" : ` (${reason})`}`;
}
