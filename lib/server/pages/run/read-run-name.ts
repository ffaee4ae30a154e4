import type { AnalysisRunSummary } from "#lib/contract/analysis-run.ts";
import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { rolloutOf, runPlace } from "#lib/server/records/run-row.ts";

export type RunName = Pick<AnalysisRunSummary, "name" | "rollout" | "revision" | "type" | "stepIndex">;

const selectNames = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select(["a.cluster", "a.namespace", "a.name", "a.owner_kind", "a.owner_name", "a.type", "a.step_index"])
  .select(["a.revision", "r.kind as rollout_kind", "r.name as rollout_name"]);

/** Reads what names a run in a title; undefined if it is not recorded or the actor may not see it. */
export async function readRunName(
  { runtime, actor }: Pick<ServiceContext, "runtime" | "actor">,
  uid: string,
): Promise<RunName | undefined> {
  // A path is free text; the database takes neither of these.
  if (uid.includes("\u0000") || !uid.isWellFormed()) return undefined;
  const query = selectNames.where((eb) => allOf([eb("a.uid", "=", uid), isReadable(actor.rights, runPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) return undefined;
  return {
    name: row.name,
    rollout: rolloutOf(row),
    revision: row.revision,
    type: row.type,
    stepIndex: row.step_index,
  };
}
