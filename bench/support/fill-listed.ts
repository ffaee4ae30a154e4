import type { Pool } from "pg";
import { deepRollout, recordCluster } from "./fill-records.ts";

const experiments = 5000;

/** Adds what other lists show to filled records: an analysis template of the same name in each namespace, and Experiments. */
export async function fillListed(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
     SELECT 'template-' || namespace || name, $1, namespace, 'AnalysisTemplate', name, 1, 'hash', '1', now(), now()
     FROM (SELECT DISTINCT namespace FROM rollout) n, unnest(ARRAY['success-rate', 'latency']) AS name`,
    [recordCluster],
  );
  await pool.query(
    `INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
     SELECT uid, 1, 'hash', $1, '1', now() - interval '400 days' + row_number() OVER () * interval '1 minute', now()
     FROM analysis_template`,
    [JSON.stringify({ metrics: [{ name: "unused", provider: { prometheus: { query: "up" } } }] })],
  );
  await pool.query(
    `INSERT INTO experiment (uid, cluster, namespace, name, rollout_id, owner_kind, owner_name, phase, message, object, created_at, updated_at)
     SELECT 'experiment-' || n, $1, r.namespace, 'experiment-' || n, r.id, 'Rollout', r.name,
       (ARRAY['Successful', 'Failed', 'Running'])[1 + n % 3], '', '{}', now() - n * interval '1 hour', now()
     FROM generate_series(1, $2::int) AS n JOIN rollout r ON r.name = 'service-' || n % 100
     WHERE r.name <> $3 OR n % 100 = 0`,
    [recordCluster, experiments, deepRollout.name],
  );
  await pool.query("VACUUM ANALYZE analysis_template, analysis_template_version, experiment");
}
