import { isReadable } from "#lib/server/people/permission/read-scope.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf } from "#lib/server/platform/db/conditions.ts";
import { type RowOf, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { runPlace } from "#lib/server/records/run-row.ts";

const selectRuns = tables
  .selectFrom("analysis_run as a")
  .leftJoin("rollout as r", "r.id", "a.rollout_id")
  .select(["a.uid", "a.rollout_id", "a.kind", "a.name", "a.spec", "a.started_at"]);

export type MeasuredRun = RowOf<typeof selectRuns>;

/** Reads the run whose measurements are wanted. Throws `not_found`. */
export async function findMeasuredRun({ runtime, actor }: ServiceContext, uid: string): Promise<MeasuredRun> {
  const query = selectRuns.where((eb) => allOf([eb("a.uid", "=", uid), isReadable(actor.rights, runPlace)]));
  const row = await readRow(runtime.pool, query);
  if (row === undefined) throw new ServiceError("not_found", `There is no analysis run ${uid}.`);
  return row;
}
