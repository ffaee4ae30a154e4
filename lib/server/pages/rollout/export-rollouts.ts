import type { RolloutSummary } from "#lib/contract/rollout.ts";
import type { RolloutExportQuery } from "#lib/contract/rollout-lists.ts";
import { type CsvColumn, exportOf } from "#lib/server/pages/export-list.ts";
import { listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";

const columns: readonly CsvColumn<RolloutSummary>[] = [
  ["id", ({ id }) => id],
  ["cluster", ({ cluster }) => cluster],
  ["namespace", ({ namespace }) => namespace],
  ["kind", ({ kind }) => kind],
  ["name", ({ name }) => name],
  ["uid", ({ uid }) => uid],
  ["strategy", ({ strategy }) => strategy],
  ["phase", ({ phase }) => phase],
  ["message", ({ message }) => message],
  ["attention.reason", ({ attention }) => attention?.reason],
  ["attention.since", ({ attention }) => attention?.since],
  ["waitingSince", ({ waitingSince }) => waitingSince],
  ["step", ({ step }) => step],
  ["stepCount", ({ stepCount }) => stepCount],
  ["weight.set", ({ weight }) => weight?.set],
  ["weight.actual", ({ weight }) => weight?.actual],
  ["images", ({ images }) => images.map(({ image }) => image)],
  ["revision", ({ revision }) => revision],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ["presence", ({ presence }) => presence],
  ["updatedAt", ({ updatedAt }) => updatedAt],
];

/** Exports the rollouts that `listRollouts` lists, in the same order. */
export const exportRollouts = exportOf<RolloutSummary, RolloutExportQuery>({
  name: "rollouts",
  columns,
  list: listRollouts,
});
