import { sql } from "kysely";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { allOf } from "#lib/server/db/conditions.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { formatTemplateId, isCurrent, until } from "#lib/server/services/templates/template-row.ts";

const selectFitting = tables
  .selectFrom("analysis_run as a")
  .crossJoinLateral(({ selectFrom }) =>
    selectFrom("analysis_template as t")
      .innerJoin("analysis_template_version as v", "v.template_uid", "t.uid")
      .select(({ ref }) => [
        "t.cluster",
        "t.namespace",
        "t.kind",
        "t.name",
        "v.version",
        "v.written_at",
        sql`${ref("v.spec")} -> 'metrics'`.as("metrics"),
        isCurrent.as("is_current"),
        until.as("until"),
      ])
      .whereRef("t.cluster", "=", "a.cluster")
      .where((eb) => eb.or([eb("t.namespace", "=", ""), eb("t.namespace", "=", eb.ref("a.namespace"))]))
      .as("fitting"),
  )
  .select([
    "fitting.cluster",
    "fitting.namespace",
    "fitting.kind",
    "fitting.name",
    "fitting.version",
    "fitting.is_current",
  ])
  .where((eb) =>
    allOf([
      eb("fitting.written_at", "<=", eb.ref("a.created_at")),
      eb.or([eb("fitting.until", "is", null), eb("fitting.until", ">=", eb.ref("a.created_at"))]),
      eb("fitting.metrics", "<>", sql`'[]'`),
      sql<boolean>`${eb.ref("a.spec")} -> 'metrics' @> ${eb.ref("fitting.metrics")}`,
    ]),
  )
  .orderBy("fitting.kind")
  .orderBy("fitting.name")
  .orderBy("fitting.version", "desc")
  .limit(50);

/**
 * Finds the template versions that a run was made of: those current at its creation whose metrics are all in the run
 * word for word. A run does not name its templates, so two templates with the same metrics are both returned. Empty if
 * they were not recorded at that time.
 */
export async function findRunTemplates(runtime: Runtime, uid: string): Promise<AnalysisRunDetail["templates"]> {
  const rows = await readRows(runtime.pool, selectFitting.where("a.uid", "=", uid));
  return rows.map((row) => ({
    id: formatTemplateId(row),
    namespace: row.namespace === "" ? null : row.namespace,
    kind: row.kind,
    name: row.name,
    version: row.version,
    current: row.is_current,
  }));
}
