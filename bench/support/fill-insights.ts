import type { Pool } from "pg";

export type InsightSizes = { rollouts: number; releasesPer90Days: number; measurementsPerMetric: number };

/**
 * Fills a year of releases, each with two runs of two metrics, as the recorder would have written them, figures
 * included. One release in twenty was aborted, one run in ten was Inconclusive and waited for a person. Measurements
 * cover the last 90 days.
 */
export async function fillInsights(
  pool: Pool,
  { rollouts, releasesPer90Days, measurementsPerMetric }: InsightSizes,
): Promise<void> {
  const releases = Math.round((releasesPer90Days * 365) / 90);
  await pool.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ('prod-eu') ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, phase, message, step_count, view_digest, revision_key,
       resource_version, object, first_seen_at, updated_at)
     SELECT gen_random_uuid(), 'prod-eu', 'team-' || n % 20, 'Rollout', 'service-' || n, 'uid-' || n, 'Healthy', '', 4, '',
       'key', n::text, '{}', now() - interval '1 year', now() FROM generate_series(1, $1::int) AS n`,
    [rollouts],
  );
  await pool.query(
    `INSERT INTO release (id, rollout_id, run_key, revision, attempt, state, message, images, started_at, ended_at,
       updated_at, figured_at, waiting_seconds, committed_at)
     SELECT gen_random_uuid(), r.id,
       -- One in fifty goes back to the version before the last one.
       CASE WHEN n % 50 = 7 THEN 'key-' || n - 2 * $1 ELSE 'key-' || n END, n, CASE WHEN n % 50 = 7 THEN 2 ELSE 1 END,
       CASE WHEN n % 20 = 3 THEN 'aborted' WHEN n % 30 = 4 THEN 'superseded' ELSE 'promoted' END, '', '["shop/app:1"]',
       at, at + interval '40 minutes', at, at, CASE WHEN n % 5 = 0 THEN 600 ELSE 0 END, at - interval '3 hours'
     FROM (SELECT n, now() - (($2::int - n)::float8 / $2) * interval '365 days' - interval '1 hour' AS at
           FROM generate_series(1, $2::int) AS n) AS each
       JOIN LATERAL (SELECT id FROM rollout WHERE name = 'service-' || (n % $1 + 1)) r ON true`,
    [rollouts, releases],
  );
  await pool.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, kind, name, owner_kind, owner_name, type, phase,
       message, spec, resource_version, figures_version, pod_hash, created_at, started_at, completed_at, updated_at)
     SELECT l.id || '-' || n, r.id, r.cluster, r.namespace, 'AnalysisRun', r.name || '-' || l.revision || '-' || n,
       'Rollout', r.name, 'Step', CASE WHEN n = 1 AND l.waiting_seconds > 0 THEN 'Inconclusive' ELSE 'Successful' END, '',
       '{}', '1', '1', l.run_key, l.started_at + n * interval '5 minutes', l.started_at, l.ended_at, now()
     FROM release l JOIN rollout r ON r.id = l.rollout_id, generate_series(1, 2) AS n`,
  );
  await pool.query(
    `INSERT INTO release_wait (release_id, ord, from_at, to_at, activity, run_name)
     SELECT l.id, 0, l.started_at + interval '10 minutes', l.started_at + interval '20 minutes', 'waiting',
       r.name || '-' || l.revision || '-1'
     FROM release l JOIN rollout r ON r.id = l.rollout_id WHERE l.waiting_seconds > 0`,
  );
  await pool.query(
    `INSERT INTO metric (rollout_id, run_uid, name, phase, message, provider, count, successful, inconclusive, template_kind,
       template_namespace, template_name, nans, margin_median, margin_low)
     SELECT a.rollout_id, a.uid, each, CASE each WHEN 'success-rate' THEN a.phase ELSE 'Successful' END, '', 'Prometheus', $1, $1 - 1, 1,
       'AnalysisTemplate', a.namespace, 'http-' || abs(hashtext(a.owner_name)) % 5, 0, random(), random() / 10
     FROM analysis_run a, unnest(ARRAY['success-rate', 'latency']) AS each`,
    [measurementsPerMetric],
  );
  await pool.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest,
       request_hash, request_id, requested_at)
     SELECT gen_random_uuid(), l.rollout_id, 'prod-eu', '', 'Rollout', '', 'accept-step', 'effective', 'x', 'operator', 'd',
       'h', 'r', w.to_at FROM release_wait w JOIN release l ON l.id = w.release_id`,
  );
  await pool.query(
    `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
     SELECT t.id, n, a.created_at + n * interval '1 minute', a.created_at + n * interval '1 minute', 'S', '', 'a', 0.99
     FROM analysis_run a JOIN metric t ON t.run_uid = a.uid, generate_series(1, $1::int) AS n
     WHERE a.created_at > now() - interval '90 days'`,
    [measurementsPerMetric],
  );
  await pool.query("VACUUM ANALYZE");
}
