import { RolloutSummary } from "#lib/contract/rollout.ts";
import type { RolloutExportQuery } from "#lib/contract/rollout-lists.ts";
import { type CsvColumn, columnsOf, exportOf } from "#lib/server/pages/export-list.ts";
import { listRollouts } from "#lib/server/pages/rollout/list-rollouts.ts";

const inOrder: readonly CsvColumn<RolloutSummary>[] = [
  ...columnsOf<RolloutSummary>(["id", "cluster", "namespace", "kind", "name", "uid", "strategy", "phase", "message"]),
  ["attention.reason", ({ attention }) => attention?.reason],
  ["attention.since", ({ attention }) => attention?.since],
  ...columnsOf<RolloutSummary>(["waitingSince", "step", "stepCount"]),
  ["weight.set", ({ weight }) => weight?.set],
  ["weight.actual", ({ weight }) => weight?.actual],
  ["images", ({ images }) => images.map(({ image }) => image)],
  ["revision", ({ revision }) => revision],
  ["findings.open", ({ findings }) => findings.open],
  ["findings.worst", ({ findings }) => findings.worst],
  ...columnsOf<RolloutSummary>(["presence", "updatedAt"]),
];

/** Fields that only programs need. */
const leftOut: readonly (keyof RolloutSummary)[] = [
  "providerPhase",
  "abortPoint",
  "viewDigest",
  "revisionKey",
  "access",
];

const placed: ReadonlySet<string> = new Set([...leftOut, ...inOrder.map(([name]) => name.replace(/\..*/, ""))]);

/** A new field of the list is exported without a line here, behind the others. */
const columns = [
  ...inOrder,
  ...columnsOf<RolloutSummary>(RolloutSummary.keyof().options.filter((field) => !placed.has(field))),
];

/** Exports the rollouts that `listRollouts` lists, in the same order. */
export const exportRollouts = exportOf<RolloutSummary, RolloutExportQuery>({
  name: "rollouts",
  columns,
  list: listRollouts,
});
