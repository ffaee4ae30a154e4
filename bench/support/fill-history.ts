import type { Pool } from "pg";
import { providerOfKind } from "#lib/domain/providers.ts";

const historyCluster = "prod-eu";

/** Per rollout; one in twenty waits for a person. */
const releases = 5;
const runs = 5;
const measurements = 10;

/**
 * Fills the tables with rollouts and their history, as the recorder would have written them: one rollout is made as an
 * object, and the database multiplies it.
 */
export async function fillHistory(pool: Pool, rollouts: number): Promise<void> {
  const object = sampleRollout();
  const parsed = providerOfKind("Rollout").parse(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  const digest = parsed.value.viewDigest;
  await pool.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
     INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, stale_after_ms)
     VALUES ($1, $2, 'rollouts', 'Rollout', '', 'live', now(), now(), 3600000)`,
    [`${historyCluster}/rollouts`, historyCluster],
  );
  await pool.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($1) ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, presence, strategy, phase, message, step, step_count,
       weight_set, weight_actual, images, attention_reason, attention_since, attention_severity, view_digest,
       revision_key, revision, resource_version, object, updated_at)
     SELECT gen_random_uuid(), $1, 'team-' || n % 200, 'Rollout', 'service-' || n, 'uid-' || n, 'live', 'canary',
       CASE WHEN n % 20 = 0 THEN 'Paused' ELSE 'Healthy' END, '', 1, 4, 20, 20, '[]',
       CASE WHEN n % 20 = 0 THEN 'step-pause' END, CASE WHEN n % 20 = 0 THEN now() - n * interval '1 second' END,
       CASE WHEN n % 20 = 0 THEN 'warning' END, $2, 'new', 7, (1000 + n)::text,
       jsonb_set(jsonb_set($3::jsonb, '{metadata,name}', to_jsonb('service-' || n)),
         '{metadata,namespace}', to_jsonb('team-' || n % 200)), now()
     FROM generate_series(1, $4::int) AS n`,
    [historyCluster, digest, JSON.stringify(object), rollouts],
  );
  await pool.query(
    `INSERT INTO release (id, rollout_id, run_key, revision, attempt, state, message, images, started_at, updated_at)
     SELECT gen_random_uuid(), r.id, CASE n WHEN 1 THEN 'new' ELSE 'old-' || n END, 8 - n, 1,
       CASE n WHEN 1 THEN 'progressing' ELSE 'succeeded' END, '', '["shop/app:1"]', now() - n * interval '1 day', now()
     FROM rollout r, generate_series(1, $1::int) AS n`,
    [releases],
  );
  await pool.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, owner_kind, owner_name, type, phase, message,
       spec, resource_version, pod_hash, created_at, started_at, completed_at, updated_at)
     SELECT r.uid || '-run-' || n, r.id, r.cluster, r.namespace, r.name || '-run-' || n, 'Rollout', r.name, 'Step',
       CASE n WHEN 1 THEN 'Inconclusive' ELSE 'Successful' END, '', $2::jsonb, '1',
       CASE n WHEN 1 THEN 'new' ELSE 'old-' || n END, now() - n * interval '1 day', now() - n * interval '1 day',
       now() - n * interval '1 day' + interval '1 hour', now()
     FROM rollout r, generate_series(1, $1::int) AS n`,
    [runs, JSON.stringify(sampleSpec)],
  );
  await pool.query(
    `INSERT INTO metric (rollout_id, run_uid, name, phase, message, provider, count, successful)
     SELECT rollout_id, uid, 'success-rate', phase, '', 'Prometheus', $1, $1 FROM analysis_run`,
    [measurements],
  );
  await pool.query(
    `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
     SELECT t.id, n, a.created_at + n * interval '1 minute', a.created_at + n * interval '1 minute', 'S', '', 'a', 0.99
     FROM analysis_run a JOIN metric t ON t.rollout_id = a.rollout_id AND t.run_uid = a.uid, generate_series(1, $1::int) AS n`,
    [measurements],
  );
  await pool.query(
    `INSERT INTO audit_entry (seq, time, entry, entry_hash, previous_hash, hash, code, source, action, outcome, actor_name,
       actor_subject, cluster, namespace, name)
     SELECT row_number() OVER (), now(), '{}', '', '', r.id::text || n, 'action.abort', 'gatehouse', 'abort', 'applied',
       'operator', 'operator-' || n, r.cluster, r.namespace, r.name FROM rollout r, generate_series(1, 2) AS n`,
  );
  await pool.query("VACUUM ANALYZE");
}

const sampleSpec = {
  metrics: [
    {
      name: "success-rate",
      interval: "1m",
      count: measurements,
      successCondition: "result[0] >= 0.95",
      failureCondition: "result[0] < 0.9",
      provider: { prometheus: { address: "http://prometheus:9090", query: "sum(rate(requests[1m]))" } },
    },
  ],
};

function sampleRollout(): Record<string, unknown> {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "service", namespace: "team", uid: "uid", resourceVersion: "1" },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: "service" } },
      template: { spec: { containers: [{ name: "app", image: "shop/app:1" }] } },
      strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { analysis: {} }, { setWeight: 60 }] } },
    },
    status: {
      currentPodHash: "new",
      stableRS: "old",
      phase: "Paused",
      controllerPause: true,
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
      currentStepIndex: 1,
    },
  };
}
