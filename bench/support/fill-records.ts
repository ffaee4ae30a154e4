import type { Pool } from "pg";
import type { DeliveryObject } from "#lib/domain/delivery/provider.ts";
import { nothingRelated } from "#lib/domain/delivery/related-state.ts";
import { providerOfKind } from "#lib/domain/providers.ts";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";

export type RecordSizes = { rollouts: number; releases: number; runs: number; measurements: number };

/** The cluster of the records: the one that `startGatehouse` configures. */
export const recordCluster = "bench";
/** A rollout that waits for a person, with a history a hundred times as long as that of the others. */
export const deepRollout = { namespace: "team-0", name: "service-0", releases: 2000, runsPerRelease: 2 };
/** A run of that rollout with one long metric, and one that failed all the time. */
export const longRun = { uid: "long-run", measurements: 50_000, failing: 1000 };

const metricsPerRun = 2;

/**
 * Fills the tables with a year of records of one cluster, as the recorder would have written them: one object is parsed,
 * and the database multiplies it. One rollout in twenty waits for a person, one in 25 was aborted by a person.
 */
export async function fillRecords(pool: Pool, sizes: RecordSizes): Promise<void> {
  await pool.query(
    `SELECT ensure_measurement_partition((date_trunc('month', now()) - ahead * interval '1 month')::date)
     FROM generate_series(0, 12) AS ahead`,
  );
  await fillSources(pool);
  await fillRollouts(pool, sizes);
  await fillReleases(pool, sizes);
  await fillRuns(pool, sizes);
  await fillActs(pool);
  await fillMeasurements(pool, sizes);
  await fillLongRun(pool);
  await pool.query("VACUUM ANALYZE");
}

async function fillSources(pool: Pool): Promise<void> {
  for (const { id, resource, kind, namespace } of sourcesOf({ name: recordCluster }))
    await pool.query(
      `WITH known AS (INSERT INTO cluster (name) VALUES ($2) ON CONFLICT DO NOTHING)
       INSERT INTO source (id, cluster, resource, kind, namespace, state, watch_contact_at, read_contact_at, synced_at, stale_after_ms)
       VALUES ($1, $2, $3, $4, $5, 'live', now(), now(), now(), 86400000)`,
      [id, recordCluster, resource, kind, namespace],
    );
}

async function fillRollouts(pool: Pool, { rollouts }: RecordSizes): Promise<void> {
  const object = sampleRollout();
  const parsed = providerOfKind("Rollout").parse(object);
  if (!parsed.ok) throw new Error(parsed.reason);
  await pool.query(
    `WITH known AS (INSERT INTO cluster (name) VALUES ($1) ON CONFLICT DO NOTHING)
     INSERT INTO rollout (id, cluster, namespace, kind, name, uid, presence, strategy, phase, message, step, step_count,
       weight_set, weight_actual, images, attention_reason, attention_since, attention_severity, view_digest,
       revision_key, revision, resource_version, object, template_refs, first_seen_at, updated_at)
     SELECT gen_random_uuid(), $1, 'team-' || n % 200, 'Rollout', 'service-' || n, 'uid-' || n, 'live', 'Canary',
       CASE waits WHEN 'pause' THEN 'Paused' WHEN 'degraded' THEN 'Degraded' ELSE 'Healthy' END, '', 1, 4,
       CASE WHEN waits IS NULL THEN 100 WHEN waits = 'pause' THEN 20 ELSE 0 END,
       CASE WHEN waits IS NULL THEN 100 WHEN waits = 'pause' THEN 20 ELSE 0 END,
       jsonb_build_array(jsonb_build_object('image', 'registry.example/shop/service-' || n || ':v1.' || n % 90, 'tags', '["canary"]'::jsonb)),
       waits, CASE WHEN waits IS NOT NULL THEN now() - n * interval '7 seconds' END,
       CASE waits WHEN 'pause' THEN 'warning' WHEN 'degraded' THEN 'info' END,
       $2, 'new', 20, (1000 + n)::text,
       $3::jsonb || jsonb_build_object('metadata', $3::jsonb -> 'metadata'
         || jsonb_build_object('name', 'service-' || n, 'namespace', 'team-' || n % 200, 'uid', 'uid-' || n)),
       '["AnalysisTemplate/success-rate"]', now() - interval '1 year', now() - n * interval '1 second'
     FROM generate_series(0, $4::int - 1) AS n,
       LATERAL (SELECT CASE WHEN n % 20 = 0 THEN 'pause' WHEN n % 25 = 1 THEN 'degraded' END AS waits) w`,
    [recordCluster, parsed.value.viewDigest, JSON.stringify(object), rollouts],
  );
  const projection = observe(parsed.value);
  await pool.query(
    `INSERT INTO observation (rollout_id, observed_at, resource_version, view_digest, provider, run_key, revision, step,
       weight_set, abort_asked, projection)
     SELECT id, now() - n * interval '20 minutes', n::text, view_digest, $1, 'new', 20, 1, 20, n = 1 AND phase = 'Degraded', $2
     FROM rollout, generate_series(CASE name WHEN $3 THEN 300 ELSE 3 END, 1, -1) AS n`,
    [providerOfKind("Rollout").name, JSON.stringify(projection), deepRollout.name],
  );
}

/** Returns the stored projection of a rollout that is observed by itself. */
export function observe(rollout: DeliveryObject): unknown {
  return rollout.observe({
    summary: rollout.summarize(nothingRelated),
    toStorable: String,
    related: nothingRelated,
    writer: null,
    observedAt: new Date().toISOString(),
    isDeleted: false,
    knownPasses: [],
  });
}

async function fillReleases(pool: Pool, { rollouts, releases }: RecordSizes): Promise<void> {
  await pool.query(
    `INSERT INTO release (id, rollout_id, run_key, revision, attempt, state, message, images, started_at, ended_at,
       updated_at, figured_at)
     SELECT gen_random_uuid(), r.id, CASE n WHEN 1 THEN r.revision_key ELSE 'old-' || n END,
       total - n + 1, 1, state,
       CASE state WHEN 'aborted' THEN 'RolloutAborted: Rollout aborted update to revision ' || total - n + 1 ELSE '' END,
       jsonb_build_array('registry.example/shop/' || r.name || ':v1.' || total - n + 1), at,
       CASE WHEN state NOT IN ('paused', 'progressing') THEN at + interval '40 minutes' END, at, at
     FROM rollout r, LATERAL (SELECT CASE r.name WHEN $2 THEN $3::int ELSE $1::int END AS total) t,
       generate_series(1, total) AS n,
       LATERAL (SELECT now() - n * interval '364 days' / total - ('x' || left(r.id::text, 4))::bit(16)::int * interval '1 second' AS at,
         CASE WHEN n = 1 AND r.phase = 'Paused' THEN 'paused' WHEN n % 20 = 3 OR (n = 1 AND r.phase = 'Degraded') THEN 'aborted'
           WHEN n % 30 = 4 THEN 'superseded' ELSE 'promoted' END AS state) s`,
    [Math.ceil(releases / rollouts), deepRollout.name, deepRollout.releases],
  );
  await pool.query(
    `INSERT INTO timeline_event (id, rollout_id, at, ord, kind, text, phase)
     SELECT gen_random_uuid(), rollout_id, started_at + n * interval '8 minutes', n, kind, 'What happened', 'Progressing'
     FROM release, unnest(ARRAY['revision', 'step', 'pause', 'phase']) WITH ORDINALITY AS e (kind, n)`,
  );
}

async function fillRuns(pool: Pool, { releases, runs, measurements }: RecordSizes): Promise<void> {
  await pool.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, owner_kind, owner_name, owner_uid, type, step_index,
       phase, message, spec, resource_version, verdict_check_version, figures_version, presence, pod_hash, revision,
       created_at, started_at, completed_at, updated_at)
     SELECT md5('run' || l.id || n), r.id, r.cluster, r.namespace, r.name || '-' || l.revision || '-' || n, 'Rollout', r.name,
       r.uid, 'Step', 2, CASE WHEN l.state = 'paused' AND n = 1 THEN 'Inconclusive' WHEN l.state = 'aborted' AND n = 1
         THEN 'Failed' ELSE 'Successful' END, '', $1, '1', '1', '1', 'deleted', l.run_key, l.revision,
       at, at, at + interval '20 minutes', now()
     FROM release l JOIN rollout r ON r.id = l.rollout_id,
       generate_series(1, CASE r.name WHEN $2 THEN $3::int ELSE floor($4::float8 + (l.revision % 2) * 0.5)::int END) AS n,
       LATERAL (SELECT l.started_at + n * interval '6 minutes' AS at) t`,
    [JSON.stringify(sampleSpec), deepRollout.name, deepRollout.runsPerRelease, runs / releases],
  );
  await pool.query(
    `INSERT INTO metric (rollout_id, run_uid, name, ord, phase, message, provider, count, successful, failed, inconclusive)
     SELECT rollout_id, uid, m.name, m.n, CASE m.n WHEN 1 THEN phase ELSE 'Successful' END, '', 'prometheus', $1, greatest($1 - 3, 0),
       CASE WHEN m.n = 1 AND phase = 'Failed' THEN 3 ELSE 0 END, CASE WHEN m.n = 1 AND phase = 'Inconclusive' THEN 3 ELSE 0 END
     FROM analysis_run, unnest($2::text[]) WITH ORDINALITY AS m (name, n)`,
    [perMetric({ runs, measurements }), metricNames],
  );
}

function perMetric({ runs, measurements }: Pick<RecordSizes, "runs" | "measurements">): number {
  return Math.max(1, Math.round(measurements / runs / metricsPerRun));
}

/** Every aborted release was aborted by a person: an action with its two entries. */
async function fillActs(pool: Pool): Promise<void> {
  const entry = {
    seq: 1,
    time: new Date().toISOString(),
    actor: { type: "user", issuer: "https://id.example", subject: "s", name: "operator" },
    source: "gatehouse",
    code: "action.abort",
    action: "abort",
    reason: "errors rise",
    detail: {
      effect: "The update is aborted.",
      kubectl: "kubectl argo rollouts abort service",
      viewDigest: "d".repeat(64),
    },
    requestId: "00000000-0000-4000-8000-000000000000",
  };
  await pool.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, reason, actor_key, actor_name,
       view_digest, request_hash, plan, request_id, requested_at, applied_at, effective_at)
     SELECT l.id, r.id, r.cluster, r.namespace, r.kind, r.name, 'abort', 'effective', 'errors rise', 'k', 'operator', 'd', 'h',
       jsonb_build_object('runKey', l.run_key), 'r', at, at, at + interval '1 second'
     FROM release l JOIN rollout r ON r.id = l.rollout_id,
       LATERAL (SELECT CASE r.attention_reason WHEN 'degraded' THEN COALESCE(r.attention_since, l.ended_at) ELSE l.ended_at END AS at) t
     WHERE l.state = 'aborted'`,
  );
  await pool.query(
    `INSERT INTO audit_entry (seq, time, entry, entry_hash, previous_hash, hash, code, source, action, outcome, action_id,
       actor_name, actor_subject, cluster, namespace, kind, name)
     SELECT seq, at, ($1::jsonb || jsonb_build_object('seq', seq, 'outcome', outcome, 'actionId', id, 'target',
         jsonb_build_object('cluster', cluster, 'namespace', namespace, 'kind', kind, 'name', name)))::text,
       md5(seq::text), md5((seq - 1)::text), md5(seq::text), 'action.abort', 'gatehouse', 'abort', outcome, id, 'operator',
       's', cluster, namespace, kind, name
     FROM (SELECT row_number() OVER (ORDER BY a.requested_at, a.id, o.n) AS seq, a.requested_at AS at, a.id, a.cluster,
             a.namespace, a.kind, a.name, o.outcome
           FROM action a, (VALUES (1, 'intent'), (2, 'applied')) AS o (n, outcome)) each`,
    [JSON.stringify(entry)],
  );
}

/** Two connections insert side by side, each run's rows together: in the order of the primary key that is fastest. */
async function fillMeasurements(pool: Pool, sizes: RecordSizes): Promise<void> {
  const parts = 40;
  const queue = Array.from({ length: parts }, (_, part) => part);
  const work = async () => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift()) {
      await pool.query(
        `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
         SELECT run.id, n, at, at + interval '1 second',
           CASE WHEN n <= 3 AND run.name = 'latency-p99' THEN left(run.phase, 1) ELSE 'S' END, '', 'a', 0.9 + n * 37 % 100 / 1000.0
         FROM (SELECT t.id, t.name, a.phase, a.created_at
               FROM analysis_run a JOIN metric t ON t.rollout_id = a.rollout_id AND t.run_uid = a.uid
               WHERE ('x' || left(a.rollout_id::text, 4))::bit(16)::int % $2 = $3 ORDER BY t.id) run,
           generate_series(1, $1::int) AS n,
           LATERAL (SELECT run.created_at + n * interval '30 seconds' AS at) t`,
        [perMetric(sizes), parts, part],
      );
    }
  };
  await Promise.all([work(), work()]);
}

async function fillLongRun(pool: Pool): Promise<void> {
  const { uid, measurements, failing } = longRun;
  await pool.query(
    `INSERT INTO analysis_run (uid, rollout_id, cluster, namespace, name, owner_kind, owner_name, owner_uid, type, phase,
       message, spec, resource_version, verdict_check_version, figures_version, pod_hash, revision, created_at, started_at,
       completed_at, updated_at)
     SELECT $1, id, cluster, namespace, 'long-run', 'Rollout', name, uid, 'Background', 'Inconclusive', '', $2, '1', '1', '1',
       'new', 20, now() - interval '15 hours', now() - interval '15 hours', now(), now()
     FROM rollout WHERE name = $3`,
    [uid, JSON.stringify(sampleSpec), deepRollout.name],
  );
  for (const [ord, name, count, isGood] of [
    [1, "latency-p99", failing, "false"],
    [2, "success-rate", measurements, "n % 200 <> 7"],
  ] as const) {
    await pool.query(
      `INSERT INTO metric (rollout_id, run_uid, name, ord, phase, message, provider, count, successful, inconclusive)
       SELECT rollout_id, uid, $2, $3::int, 'Inconclusive', '', 'prometheus', $4::int, 0, $4::int
       FROM analysis_run WHERE uid = $1`,
      [uid, name, ord, count],
    );
    await pool.query(
      `INSERT INTO measurement (metric_id, seq, started_at, finished_at, phase, value, parsed_kind, parsed)
       SELECT own.id, n, at, at, CASE WHEN ${isGood} THEN 'S' ELSE 'I' END, '', 'a', value
       FROM analysis_run a JOIN metric own ON own.rollout_id = a.rollout_id AND own.run_uid = a.uid,
         generate_series(1, $3::int) AS n,
         LATERAL (SELECT a.created_at + n * interval '50000 seconds' / $3::int AS at,
           round((0.95 + 0.04 * sin(n / 900.0) + n * 7919 % 100 / 10000.0)::numeric, 4) AS value) t
       WHERE a.uid = $1 AND own.name = $2`,
      [uid, name, count],
    );
  }
}

const metricNames = ["latency-p99", "success-rate"];

const sampleSpec = {
  metrics: metricNames.map((name) => ({
    name,
    interval: "30s",
    successCondition: "result[0] >= 0.95",
    failureCondition: "result[0] < 0.5",
    inconclusiveLimit: 2,
    provider: { prometheus: { address: "http://prometheus:9090", query: "sum(rate(requests[1m]))" } },
  })),
};

function sampleRollout(): Record<string, unknown> {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    metadata: { name: "service", namespace: "team", uid: "uid", resourceVersion: "1", generation: 1 },
    spec: {
      replicas: 5,
      selector: { matchLabels: { app: "service" } },
      template: { spec: { containers: [{ name: "app", image: "registry.example/shop/service:v1" }] } },
      strategy: { canary: { steps: [{ setWeight: 20 }, { pause: {} }, { analysis: {} }, { setWeight: 60 }] } },
    },
    status: {
      observedGeneration: "1",
      currentPodHash: "new",
      stableRS: "old-2",
      phase: "Paused",
      controllerPause: true,
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-11-20T10:00:00Z" }],
      currentStepIndex: 1,
    },
  };
}
