import { sql } from "kysely";
import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { formatTemplateId, isCurrent, until } from "#lib/server/pages/template/template-row.ts";
import { type Condition, isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { valueAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

const eb = fragment<{ a: "analysis_run" }>();

/** Versions of templates in the reach of run `a`, with the time in which each was in force. */
const versionsInReach = eb
  .selectFrom("analysis_template as t")
  .innerJoin("analysis_template_version as v", "v.template_uid", "t.uid")
  .select(({ ref }) => [
    "t.cluster",
    "t.namespace",
    "t.kind",
    "t.name",
    "v.version",
    "v.written_at",
    valueAt(ref("v.spec"), "metrics").as("metrics"),
    isCurrent.as("is_current"),
    until.as("until"),
  ])
  .whereRef("t.cluster", "=", "a.cluster")
  .where((of) => of.or([of("t.namespace", "=", ""), of("t.namespace", "=", of.ref("a.namespace"))]));

/** Of these versions, the ones in force at the creation of run `a` whose metrics are all in the run word for word. */
function fittingOf(versions: typeof versionsInReach) {
  return eb
    .selectFrom(versions.as("fitting"))
    .selectAll("fitting")
    .whereRef("fitting.written_at", "<=", "a.created_at")
    .where((of) => of.or([of("fitting.until", "is", null), of("fitting.until", ">=", of.ref("a.created_at"))]))
    .where("fitting.metrics", "<>", sql.lit("[]"))
    .where((of) => of(valueAt(of.ref("a.spec"), "metrics"), "@>", of.ref("fitting.metrics")));
}

/**
 * The template versions that run `a` was made of. A run does not name its templates, so two templates with the same
 * metrics both fit.
 */
const fittingTemplates = fittingOf(versionsInReach);

/** Returns the condition that run `a` was made of a template with this name. */
export function isMadeOfTemplate(name: string): Condition {
  return eb.exists(fittingOf(versionsInReach.where("t.name", "=", name)));
}

const { ref } = fragment<{ a: "analysis_run" }>();

const selectFitting = tables
  .selectFrom("analysis_run as a")
  .crossJoinLateral(fittingTemplates.as("found"))
  .select(["found.cluster", "found.namespace", "found.kind", "found.name", "found.version", "found.is_current"])
  .orderBy("found.kind")
  .orderBy("found.name")
  .orderBy("found.version", "desc")
  .limit(50);

/**
 * Finds the template versions that a run was made of: those current at its creation whose metrics are all in the run
 * word for word. A run does not name its templates, so two templates with the same metrics are both returned. Empty if
 * they were not recorded at that time.
 */
export async function findRunTemplates(runtime: Runtime, run: RunKey): Promise<AnalysisRunDetail["templates"]> {
  const rows = await readRows(runtime.pool, selectFitting.where(isOfRun([ref("a.rollout_id"), ref("a.uid")], [run])));
  return rows.map((row) => ({
    id: formatTemplateId(row),
    namespace: row.namespace === "" ? null : row.namespace,
    kind: row.kind,
    name: row.name,
    version: row.version,
    current: row.is_current,
  }));
}
