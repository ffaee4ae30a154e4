import type { AnalysisRunDetail } from "#lib/contract/analysis-run.ts";
import type { Runtime } from "#lib/server/process/runtime-types.ts";
import { formatTemplateId } from "#lib/server/services/templates/template-row.ts";

type Row = {
  cluster: string;
  namespace: string;
  kind: "AnalysisTemplate" | "ClusterAnalysisTemplate";
  name: string;
  version: number;
  is_current: boolean;
};

/**
 * Finds the template versions that a run was made of: those current at its creation whose metrics are all in the run
 * word for word. A run does not name its templates, so two templates with the same metrics are both returned. Empty if
 * they were not recorded at that time.
 */
export async function findRunTemplates(runtime: Runtime, uid: string): Promise<AnalysisRunDetail["templates"]> {
  const { rows } = await runtime.pool.query<Row>(
    `SELECT v.cluster, v.namespace, v.kind, v.name, v.version, v.is_current
     FROM analysis_run a JOIN LATERAL (
       SELECT t.cluster, t.namespace, t.kind, t.name, v.version, v.spec -> 'metrics' AS metrics, v.written_at,
         v.version = t.version AND t.presence = 'live' AS is_current,
         COALESCE(lead(v.written_at) OVER (PARTITION BY v.template_uid ORDER BY v.version), t.gone_at) AS until
       FROM analysis_template t JOIN analysis_template_version v ON v.template_uid = t.uid
       WHERE t.cluster = a.cluster AND t.namespace IN ('', a.namespace)
     ) v ON v.written_at <= a.created_at AND (v.until IS NULL OR v.until >= a.created_at)
        AND v.metrics <> '[]' AND a.spec -> 'metrics' @> v.metrics
     WHERE a.uid = $1 ORDER BY v.kind, v.name, v.version DESC LIMIT 50`,
    [uid],
  );
  return rows.map((row) => ({
    id: formatTemplateId(row),
    namespace: row.namespace === "" ? null : row.namespace,
    kind: row.kind,
    name: row.name,
    version: row.version,
    current: row.is_current,
  }));
}
