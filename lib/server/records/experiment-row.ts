import type { ExperimentSummary } from "#lib/contract/experiment.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { countRows } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { asPhase, objectOfCounts, rolloutOf, serializeRunCounts } from "#lib/server/records/run-row.ts";

const { fn, ref, selectFrom, val } = fragment<{ e: "experiment"; r: "rollout" }>();

const runCounts = selectFrom("analysis_run as a")
  .select(["a.phase", countRows().as("count")])
  .whereRef("a.owner_uid", "=", "e.uid")
  .groupBy("a.phase");

/** The place of Experiment `e`: of its rollout `r`; of its owner while that is unknown; its own if it has no owner. */
export const experimentPlace = {
  cluster: ref("e.cluster"),
  namespace: ref("e.namespace"),
  kind: fn.coalesce("r.kind", "e.owner_kind", val("Experiment")),
  name: fn.coalesce("r.name", "e.owner_name", "e.name"),
};

/** Selects what a summary needs. */
export const selectExperiments = tables
  .selectFrom("experiment as e")
  .leftJoin("rollout as r", "r.id", "e.rollout_id")
  .select([
    "e.uid",
    "e.cluster",
    "e.namespace",
    "e.name",
    "e.owner_kind",
    "e.owner_name",
    "e.revision",
    "e.pod_hash",
    "e.phase",
    "e.message",
    "e.presence",
    "e.created_at",
    "e.available_at",
    "e.completed_at",
    "e.updated_at",
    "r.kind as rollout_kind",
    "r.name as rollout_name",
    objectOfCounts(runCounts).as("runs_by_phase"),
  ]);

export type ExperimentRow = RowOf<typeof selectExperiments>;

export function serializeExperiment(row: ExperimentRow): ExperimentSummary {
  return {
    uid: row.uid,
    cluster: row.cluster,
    namespace: row.namespace,
    name: row.name,
    rollout: rolloutOf(row),
    revision: row.revision,
    podHash: row.pod_hash,
    phase: asPhase(row.phase),
    message: row.message,
    createdAt: row.created_at.toISOString(),
    availableAt: row.available_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    presence: row.presence,
    runs: serializeRunCounts(row.runs_by_phase),
    updatedAt: row.updated_at.toISOString(),
  };
}
