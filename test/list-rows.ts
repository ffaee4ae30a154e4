import type { Pool } from "pg";

const count = 40;

/**
 * Plants forty rows for every list, with ties and missing values in all that lists are sorted by. `run-1` measured
 * `success-rate` and was made of the template `smoke`; `run-2` runs in the background and is new.
 */
export async function plantLists(owner: Pool): Promise<void> {
  await owner.query(`
    INSERT INTO cluster (name) VALUES ('eu'), ('us') ON CONFLICT DO NOTHING;
    INSERT INTO rollout (id, cluster, namespace, kind, name, uid, strategy, phase, message, step_count, images,
        attention_reason, attention_since, attention_severity, view_digest, revision_key, resource_version, object,
        template_refs, updated_at)
    SELECT gen_random_uuid(), CASE WHEN i % 3 = 0 THEN 'eu' ELSE 'us' END, 'ns-' || i % 4, 'Rollout', 'app-' || i, 'uid-' || i,
        'Canary', (ARRAY['Healthy', 'Degraded', 'Paused', 'Progressing', 'Unknown'])[1 + i % 5], '', 0,
        jsonb_build_array(jsonb_build_object('image', 'shop:v' || i || '.0', 'tags', jsonb_build_array())),
        CASE WHEN i % 5 = 1 THEN 'degraded' WHEN i % 5 = 2 THEN 'pause' END,
        CASE WHEN i % 5 IN (1, 2) THEN timestamptz '2026-11-20 10:00:00+00' + (i / 10) * interval '1 minute' END,
        CASE WHEN i % 5 IN (1, 2) THEN 'warning' END, 'digest', 'key', '1', '{}',
        CASE WHEN i = 7 THEN '["AnalysisTemplate/smoke"]'::jsonb ELSE '[]' END, now()
      FROM generate_series(1, ${count}) i;
    INSERT INTO release (id, rollout_id, run_key, attempt, state, message, images, started_at, ended_at, updated_at)
    SELECT gen_random_uuid(), r.id, 'key', 1,
        (ARRAY['promoted', 'aborted', 'paused', 'progressing', 'superseded', 'unknown'])[1 + i % 6], '', '[]', began,
        CASE WHEN i % 6 NOT IN (2, 3) THEN began + (i % 7) * interval '1.5 seconds' END, now()
      FROM generate_series(1, ${count}) i
      JOIN rollout r ON r.name = 'app-' || i,
        LATERAL (SELECT timestamptz '2026-11-20 10:00:00.123456+00' + (i / 8) * interval '1 hour' AS began) t;
    INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, type, phase, message, spec, resource_version,
        created_at, updated_at)
    SELECT 'run-uid-' || i, r.id, r.cluster, r.namespace, 'run-' || CASE WHEN i < 3 THEN i ELSE 3 + i % 5 END,
        CASE WHEN i = 2 THEN 'Background' ELSE 'Step' END,
        (ARRAY['Successful', 'Failed', 'Error', 'Inconclusive', 'Running', 'Pending', '', 'Odd'])[1 + i % 8], '',
        CASE WHEN i = 1 THEN '{"metrics": [{"name": "success-rate"}, {"name": "other"}]}'::jsonb ELSE '{"metrics": []}' END,
        '1', CASE i WHEN 1 THEN now() - interval '5 hours' WHEN 2 THEN now()
          ELSE timestamptz '2026-11-10 10:00:00+00' + (i / 8) * interval '1 minute' END, now()
      FROM generate_series(1, ${count}) i JOIN rollout r ON r.name = 'app-' || i;
    INSERT INTO metric (rollout_id, run_uid, name, phase, message)
    SELECT rollout_id, uid, 'success-rate', 'Failed', '' FROM analysis_run WHERE uid = 'run-uid-1';
    INSERT INTO experiment (uid, cluster, namespace, name, phase, message, object, created_at, updated_at)
    SELECT 'exp-uid-' || i, 'eu', 'ns', 'exp-' || i % 6,
        (ARRAY['Successful', 'Failed', 'Running', ''])[1 + i % 4], '', '{}',
        timestamptz '2026-11-10 10:00:00+00' + (i / 8) * interval '1 minute', now()
      FROM generate_series(1, ${count}) i;
    INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at,
        updated_at)
    SELECT 'tpl-uid-' || i, CASE WHEN i % 2 = 0 THEN 'eu' ELSE r.cluster END, r.namespace, 'AnalysisTemplate',
        CASE WHEN i = 7 THEN 'smoke' ELSE 'tpl-' || i % 6 END, 1, 'hash', '1', now(), now()
      FROM generate_series(1, ${count}) i JOIN rollout r ON r.name = 'app-' || i;
    INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
    SELECT 'tpl-uid-' || i, 1, 'hash', '{"metrics": []}', '1', timestamptz '2026-11-01 10:00:00+00' + (i / 8) * interval '1 minute', now()
      FROM generate_series(1, ${count}) i;
    UPDATE analysis_template_version SET spec = '{"metrics": [{"name": "success-rate"}]}' WHERE template_uid = 'tpl-uid-7';
    UPDATE analysis_run a SET cluster = t.cluster, namespace = t.namespace FROM analysis_template t
      WHERE a.uid = 'run-uid-1' AND t.uid = 'tpl-uid-7'`);
}
