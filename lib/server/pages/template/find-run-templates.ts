import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import { fittingTemplates } from "#lib/server/pages/template/fitting-templates.ts";
import { formatTemplateId } from "#lib/server/pages/template/template-row.ts";
import { isOfRun, type RunKey } from "#lib/server/platform/db/conditions.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";

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
