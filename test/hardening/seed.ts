import { randomUUID } from "node:crypto";
import { appendAudit } from "#lib/server/audit/append-audit.ts";
import { hashUserCode } from "#lib/server/people/auth/device-codes.ts";
import { connectRecorded } from "#test/recorded.ts";
import { createTestPool } from "#test/test-pool.ts";
import type { TestWeb } from "#test/web-runtime.ts";
import { createToken, issuer, openSession, ownNamespace } from "./people.ts";

/** One object of every kind in one namespace, each with a marker that must stay hidden from other namespaces' users. */
export type Seed = {
  marker: string;
  path: { cluster: string; namespace: string; kind: string; name: string };
  template: { cluster: string; namespace: string; templateKind: string; name: string };
  rolloutUid: string;
  viewDigest: string;
  runUid: string;
  experimentUid: string;
  findingId: string;
  releaseId: string;
  actionId: string;
  approvalId: string;
  scheduledId: string;
  auditSeq: number;
  /** Appears in that entry and in no request. */
  auditedName: string;
  sourceId: string;
  /** Belongs to a person who makes none of the requests. */
  sessionId: string;
  tokenId: string;
  hookCredentialId: string;
  /** One that was given up. */
  notificationId: string;
  /** Of a terminal that waits. */
  deviceUserCode: string;
};

export async function plantSeed(web: TestWeb): Promise<Seed> {
  const marker = `marker-${randomUUID().slice(0, 8)}`;
  const auditedName = `audited-${randomUUID().slice(0, 8)}`;
  const recorded = await connectRecorded(web.database.recorderUrl);
  const owner = createTestPool(web.database.ownerUrl);
  await recorded.addSource({});
  const attention = { reason: "inconclusive", severity: "warning", since: new Date() };
  const rollout = await recorded.addRollout({ namespace: ownNamespace, name: marker, attention });
  const { namespace, cluster, name } = rollout;
  const run = await recorded.addRun({
    rolloutId: rollout.id,
    namespace,
    name: `${marker}-run`,
    metrics: [{ name: marker }],
  });
  await owner.query("UPDATE analysis_run SET figures_version = resource_version WHERE uid = $1", [run.uid]);
  const values = [{ seq: 0, value: "1" }];
  await recorded.addMeasurements({ rolloutId: rollout.id, uid: run.uid, metric: marker, values });
  const startedAt = new Date(Date.now() - 60_000);
  const release = await recorded.addRelease({ rolloutId: rollout.id, startedAt });
  await recorded.addObservation({ rolloutId: rollout.id, at: startedAt });
  await owner.query(
    `INSERT INTO release (id, rollout_id, run_key, attempt, state, message, started_at, ended_at, updated_at)
     VALUES ($1, $2, 'aborted', 1, 'aborted', '', now() - interval '1 day', now() - interval '1 day', now())`,
    [randomUUID(), rollout.id],
  );
  const [experimentUid, templateUid, actionId] = [randomUUID(), randomUUID(), randomUUID()];
  const [approvalId, scheduledId] = [randomUUID(), randomUUID()];
  const findingId = randomUUID();
  await owner.query(
    `INSERT INTO experiment (uid, cluster, namespace, name, rollout_id, phase, message, object, updated_at, created_at)
     VALUES ($1, $2, $3, $4, $5, 'Running', '', $6, now(), now())`,
    [
      experimentUid,
      cluster,
      namespace,
      `${marker}-experiment`,
      rollout.id,
      JSON.stringify(experimentOf(namespace, marker, experimentUid)),
    ],
  );
  await owner.query(
    `INSERT INTO deployment (uid, cluster, namespace, name, images, desired, replicas, ready, available, updated, resource_version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, '["example.com/argo-rollouts:v1.9.3"]', 1, 1, 1, 1, 1, '1', now(), now())`,
    [randomUUID(), cluster, `${marker}-system`, marker],
  );
  await owner.query(
    `INSERT INTO analysis_template (uid, cluster, namespace, kind, name, version, spec_hash, resource_version, created_at, updated_at)
     VALUES ($1, $2, $3, 'AnalysisTemplate', $4, 1, 'h', '1', now(), now())`,
    [templateUid, cluster, namespace, marker],
  );
  await owner.query(
    `INSERT INTO analysis_template_version (template_uid, version, spec_hash, spec, resource_version, written_at, observed_at)
     VALUES ($1, 1, 'h', '{"metrics": []}', '1', now(), now())`,
    [templateUid],
  );
  const place = [cluster, namespace, "Rollout", name];
  await owner.query(
    `INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, actor_key, actor_name, view_digest, request_hash, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, 'abort', 'effective', 'x', $6, 'd', 'h', 'r')`,
    [actionId, rollout.id, ...place],
  );
  await owner.query(
    `INSERT INTO approval (id, rollout_id, cluster, namespace, kind, name, action, uid, view_digest, rule, reason, requested_by, requested_by_name, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'promote-full', $7, $8, 'two', $6, $9, $6, now() + interval '1 hour')`,
    [approvalId, rollout.id, ...place, rollout.uid, "d".repeat(64), `${issuer}|requester`],
  );
  await owner.query(
    `INSERT INTO scheduled_action (id, rollout_id, cluster, namespace, kind, name, action, expect, due_at, requested_by,
       requested_by_name, requested_username, identity, state, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, 'abort', '{"viewDigest": "d"}', now(), 'x', $6, $6,
       '{"groups": [], "claims": {}, "token": null}', 'missed', now())`,
    [scheduledId, rollout.id, ...place],
  );
  await owner.query(
    `INSERT INTO finding (id, about, subject, rollout_id, cluster, namespace, kind, name, rule, severity, title, evidence, since)
     VALUES ($1, 'rollout', $2::uuid::text, $2::uuid, $3, $4, $5, $6, 'waiting-too-long', 'warning', $6, '[]', now())`,
    [findingId, rollout.id, ...place],
  );
  const target = { id: rollout.path, cluster, namespace, kind: "Rollout", name };
  const { seq } = await appendAudit({
    pool: web.runtime.pool,
    entry: {
      actor: { type: "user", issuer, subject: "someone", name: auditedName },
      source: "gatehouse",
      code: "action.abort",
      action: "abort",
      target,
      outcome: "refused",
      requestId: "seed",
    },
  });
  const source = await owner.query<{ id: string }>("SELECT id FROM source");
  const { sessionId } = await openSession(web, "viewer", { subject: marker });
  const token = await createToken(web, { username: "viewer" });
  await owner.query("UPDATE api_token SET name = $1 WHERE id = $2", [marker, token.id]);
  const hookCredentialId = randomUUID();
  await owner.query(
    `INSERT INTO hook_credential (id, name, cluster, namespaces, secret_hash, created_by)
     VALUES ($1, $2, $3, '{*}', 'none', 'somebody')`,
    [hookCredentialId, marker, cluster],
  );
  const notificationId = randomUUID();
  await owner.query(
    `INSERT INTO notifiable_event (id, kind, severity, cluster, namespace, object_kind, name, title, sentence, path, at)
     VALUES (gen_random_uuid(), 'waiting', 'info', $1, $2, $3, $4, 'Waits', '', '/inbox', now())`,
    place,
  );
  await owner.query(
    `INSERT INTO notification (id, channel, channel_type, shape, severity, title, events, state, created_at,
       next_attempt_at, give_up_at, ended_at)
     VALUES ($1, 'planted-channel', 'webhook', 'single', 'info', $2, '[]', 'failed', now(), now(), now(), now())`,
    [notificationId, marker],
  );
  const deviceUserCode = "BCDF-GHJK";
  await owner.query(
    `INSERT INTO device_request (id, device_code_hash, user_code_hash, device_name, created_at, expires_at)
     VALUES (gen_random_uuid(), 'none', $1, 'a terminal', now(), now() + interval '1 hour')`,
    [hashUserCode("BCDFGHJK", web.runtime.secret)],
  );
  await Promise.all([recorded.close(), owner.end()]);
  return {
    marker,
    path: { cluster, namespace, kind: "Rollout", name },
    template: { cluster, namespace, templateKind: "AnalysisTemplate", name: marker },
    rolloutUid: rollout.uid,
    viewDigest: "d".repeat(64),
    runUid: run.uid,
    experimentUid,
    findingId,
    releaseId: release.id,
    actionId,
    approvalId,
    scheduledId,
    auditSeq: seq,
    auditedName,
    sourceId: source.rows[0]?.id ?? "",
    sessionId,
    tokenId: token.id,
    hookCredentialId,
    notificationId,
    deviceUserCode,
  };
}

function experimentOf(namespace: string, marker: string, uid: string): Record<string, unknown> {
  return {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    metadata: { namespace, name: `${marker}-experiment`, uid, resourceVersion: "3" },
    spec: { templates: [], analyses: [] },
    status: { phase: "Running" },
  };
}
