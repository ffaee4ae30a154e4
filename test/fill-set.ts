import type { Pool } from "pg";

export const filledSet = { version: "v2.31.0", image: "registry.example/shop/set-app", clusters: 20, members: 2000 };

const strategy = {
  canary: {
    steps: [
      { setWeight: 20 },
      { pause: {} },
      { analysis: analysisWith("95") },
      { setWeight: 60 },
      { pause: { duration: "10m" } },
    ],
  },
};

function analysisWith(threshold: string) {
  return {
    templates: [{ templateName: "success-rate" }],
    args: [
      { name: "service", value: "set-app" },
      { name: "threshold", value: threshold },
    ],
  };
}

/**
 * Records 2,000 rollouts of one image in 20 clusters. One in twenty waits for a person, the 7th of each 50 runs the
 * version before, the 11th has another threshold, and one cluster has another analysis template.
 */
export async function fillSet(pool: Pool): Promise<void> {
  const { version, image, clusters, members } = filledSet;
  const object = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "app", generation: 1, resourceVersion: "1" },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: "app" } },
      template: { spec: { containers: [{ name: "app", image: `${image}:${version}`, args: ["--name", "app"] }] } },
      strategy,
    },
    status: { observedGeneration: "1", currentPodHash: "new", stableRS: "old", phase: "Healthy" },
  };
  await pool.query(`INSERT INTO cluster (name) SELECT 'set-' || n FROM generate_series(1, $1::int) n`, [clusters]);
  await pool.query(
    `INSERT INTO rollout (id, cluster, namespace, kind, name, uid, presence, strategy, phase, message, step, step_count,
       weight_set, weight_actual, images, attention_reason, attention_since, attention_severity, view_digest,
       revision_key, revision, resource_version, object, template_refs, updated_at)
     SELECT gen_random_uuid(), 'set-' || 1 + n % $1::int, 'set-' || n % 50, 'Rollout', 'app-' || n, 'set-uid-' || n, 'live', 'Canary',
       CASE WHEN waits THEN 'Paused' ELSE 'Healthy' END, '', 1, 5, CASE WHEN waits THEN 20 ELSE 100 END,
       CASE WHEN waits THEN 20 ELSE 100 END,
       jsonb_build_array(jsonb_build_object('image', image, 'tags', jsonb_build_array(CASE WHEN waits THEN 'canary' ELSE 'stable' END))),
       CASE WHEN waits THEN 'pause' END, CASE WHEN waits THEN now() - n * interval '7 seconds' END,
       CASE WHEN waits THEN 'warning' END, repeat('0', 64), 'new', 2, n::text,
       CASE n % 50 WHEN 11 THEN jsonb_set($2::jsonb, '{spec,strategy,canary,steps,2,analysis,args,1,value}', '"90"') ELSE $2::jsonb END
         || jsonb_build_object('metadata', jsonb_build_object('name', 'app-' || n, 'namespace', 'set-' || n % 50, 'uid', 'set-uid-' || n)),
       '["AnalysisTemplate/success-rate"]', now()
     FROM generate_series(1, $3::int) n,
       LATERAL (SELECT n % 20 = 0 AS waits, $4 || CASE n % 50 WHEN 7 THEN ':v2.30.4' ELSE ':' || $5 END AS image) own`,
    [clusters, JSON.stringify(object), members, image, version],
  );
  await pool.query(
    `INSERT INTO release (id, rollout_id, run_key, revision, attempt, state, message, images, started_at, updated_at)
     SELECT gen_random_uuid(), id, 'new', 2, 1, CASE phase WHEN 'Paused' THEN 'paused' ELSE 'promoted' END, '',
       jsonb_build_array(images -> 0 ->> 'image'), now(), now()
     FROM rollout WHERE uid LIKE 'set-uid-%'`,
  );
  await pool.query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
     SELECT 'set-template-' || cluster || namespace, cluster, namespace, 'AnalysisTemplate', 'success-rate', 1,
       CASE cluster WHEN 'set-3' THEN repeat('b', 64) ELSE repeat('a', 64) END, '1', now(), now()
     FROM (SELECT DISTINCT cluster, namespace FROM rollout WHERE uid LIKE 'set-uid-%') places`,
  );
  await pool.query("ANALYZE rollout, release, analysis_template");
}
