import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { ActionState } from "#lib/contract/action.ts";
import { describeOpenAction, type OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import type { StoredEffect } from "#lib/domain/acting/effect.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { ServiceError } from "#lib/server/actor/service-error.ts";
import { toColumn } from "#lib/server/audit/to-column.ts";

const Patch = z.object({ subresource: z.enum(["", "status"]), body: z.record(z.string(), z.unknown()) });

/** What the row remembers of the plan: enough for any process that finds the row to read back the outcome. */
export const StoredPlan = z.object({
  /** As shown: for a pod template without its values. */
  patches: z.array(Patch).optional(),
  patchesDone: z.number().optional(),
  /** The provider that planned it; only this one reads the effect. Absent in actions of older versions. */
  provider: z.string().optional(),
  expectedEffect: z.custom<StoredEffect>().optional(),
  /** Of the revision that was acted on. */
  runKey: z.string().optional(),
  /** Of what was patched instead of the rollout. */
  targetUid: z.string().optional(),
  /** Pauses that the controller may pass because of it: nobody skipped them. */
  passesPauses: z.array(z.number()).optional(),
  /** Digest and resourceVersion of the rollout that the patches were made for; absent if no rollout owns the run. */
  digest: z.string().optional(),
  resourceVersion: z.string().optional(),
  /** `answer`: the fields of its problem document other than code and message, as JSON text, for repeated requests. */
  refusal: z.object({ code: z.string(), answer: z.string().optional() }).optional(),
});
export type StoredPlan = z.infer<typeof StoredPlan>;

/**
 * SQL for two members of a stored plan. Plans of older versions have them in the effect, which only Argo wrote then.
 */
export const runKeySql = (plan: string): string =>
  `coalesce(${plan} ->> 'runKey', ${plan} #>> '{expectedEffect,podHash}')`;
export const targetUidSql = (plan: string): string =>
  `coalesce(${plan} ->> 'targetUid', ${plan} #>> '{expectedEffect,target,uid}')`;

export type ActionRow = {
  id: string;
  rollout_id: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  action: string;
  state: ActionState;
  reason: string | null;
  actor_key: string;
  actor_name: string;
  /** Null for actions from before usernames were stored. */
  actor_username: string | null;
  plan: unknown;
  params: unknown;
  message: string;
  intent_seq: string | null;
  outcome_seq: string | null;
  request_id: string;
  request_hash: string;
  requested_at: Date;
  applied_at: Date | null;
  effective_at: Date | null;
  deadline_at: Date | null;
  /** For an action without effect: why, and until when it is watched; null once nothing more is awaited. */
  effect_why: string | null;
  watch_until: Date | null;
};

/** Columns of `action a`. */
export const actionColumns = `a.id, a.rollout_id, a.cluster, a.namespace, a.kind, a.name, a.action, a.state, a.reason,
  a.actor_key, a.actor_name, a.actor_username, a.plan, a.params, a.message, a.intent_seq::text, a.outcome_seq::text, a.request_id, a.request_hash, a.requested_at,
  a.applied_at, a.effective_at, a.deadline_at, a.effect_why, a.watch_until`;

const logSql = `INSERT INTO change_log (kind, ref, op, cluster, namespace, name)
  SELECT 'action', id::text, 'upsert', cluster, namespace, name FROM changed`;

export type NewAction = {
  id: string;
  rolloutId: string;
  path: ObjectRef;
  action: string;
  /** Parameters and subject. */
  params: Record<string, unknown>;
  reason: string | undefined;
  actorKey: string;
  actorName: string;
  actorUsername: string;
  viewDigest: string;
  idempotencyKey: string | undefined;
  requestHash: string;
  requestId: string;
};

/**
 * Inserts the action's row. If the same person used the idempotency key within 24 h, returns that earlier row instead
 * (`isNew` false). The unique index decides between two concurrent requests. Throws `conflict` if the key was used for
 * something else.
 */
export async function insertAction({
  pool,
  action,
}: {
  pool: Pool;
  action: NewAction;
}): Promise<{ isNew: true } | { isNew: false; row: ActionRow }> {
  if (action.idempotencyKey !== undefined)
    await pool.query(
      `UPDATE action SET idempotency_key = NULL
       WHERE actor_key = $1 AND idempotency_key = $2 AND requested_at < now() - interval '24 hours'`,
      [action.actorKey, action.idempotencyKey],
    );
  const { path } = action;
  const inserted = await pool.query(
    `WITH changed AS (
       INSERT INTO action (id, rollout_id, cluster, namespace, kind, name, action, state, reason, actor_key, actor_name,
         actor_username, view_digest, idempotency_key, request_hash, request_id, params)
       VALUES ($1, $2, $3, $4, $5, $6, $7, 'requested', $8, $9, $10, $11, $12, $13, $14, $15, $16)
       ON CONFLICT (actor_key, idempotency_key) DO NOTHING RETURNING id, cluster, namespace, name)
     ${logSql}`,
    [
      ...[action.id, action.rolloutId, path.cluster, path.namespace, path.kind, path.name, action.action],
      ...[action.reason, action.actorKey, action.actorName, action.actorUsername, action.viewDigest].map(toColumn),
      ...[action.idempotencyKey ?? null, action.requestHash, action.requestId, JSON.stringify(action.params)],
    ],
  );
  if (inserted.rowCount === 1) return { isNew: true };
  const { rows } = await pool.query<ActionRow>(
    `SELECT ${actionColumns} FROM action a WHERE actor_key = $1 AND idempotency_key = $2`,
    [action.actorKey, action.idempotencyKey],
  );
  const [row] = rows;
  if (row === undefined) throw new ServiceError("conflict", "The idempotency key has just expired. Send it again.");
  if (row.request_hash !== action.requestHash)
    throw new ServiceError("conflict", "This Idempotency-Key was used for another request. Take a new one.", {
      actionId: row.id,
    });
  return { isNew: false, row };
}

export async function findAction(pool: Pool, id: string): Promise<ActionRow | undefined> {
  const { rows } = await pool.query<ActionRow>(`SELECT ${actionColumns} FROM action a WHERE id = $1`, [id]);
  return rows[0];
}

export type ActionChange = {
  state?: ActionState;
  message?: string;
  plan?: StoredPlan;
  intentSeq?: number;
  outcomeSeq?: number;
  isApplied?: boolean;
  isEffective?: boolean;
  deadlineSeconds?: number;
  /** Reason for the state not-effective. While it is awaited, it is still watched. */
  why?: "awaited" | "superseded" | "given-up";
};

/** How long after it was applied an action is watched for its effect. */
export const watchHours = 24;

/** From every five seconds at first to every minute later. */
const nextLookSql = `clock_timestamp() + interval '1 second' * least(60, greatest(5,
  extract(epoch FROM clock_timestamp() - requested_at) / 8))`;

/**
 * Defers the next look. The record was judged, and the cluster was queried if that was due. Neither is repeated until
 * there is something new.
 */
export async function deferLook({
  client,
  row,
}: {
  client: Pool | PoolClient;
  row: { id: string; is_look_due: boolean; seen_version: string | null };
}): Promise<void> {
  await client.query(
    `UPDATE action SET judged_version = $2, look_at = CASE WHEN $3 THEN ${nextLookSql} ELSE look_at END
     WHERE id = $1 AND watch_until IS NOT NULL`,
    [row.id, row.seen_version, row.is_look_due],
  );
}

/**
 * Changes the row, by the database's clock, and writes the change log. With `from`, only if it is in one of these
 * states; with `onlyWatched`, only while it is watched. Returns whether the row was changed.
 */
export async function updateAction({
  client,
  id,
  change,
  from,
  onlyWatched = false,
}: {
  client: Pool | PoolClient;
  id: string;
  change: ActionChange;
  from?: readonly ActionState[];
  onlyWatched?: boolean;
}): Promise<boolean> {
  const result = await client.query(
    `WITH changed AS (
       UPDATE action SET state = coalesce($2, state), message = coalesce($3, message),
         plan = plan || coalesce($4::jsonb, '{}'), intent_seq = coalesce($5, intent_seq),
         outcome_seq = coalesce($6, outcome_seq),
         applied_at = CASE WHEN $7 THEN coalesce(applied_at, clock_timestamp()) ELSE applied_at END,
         effective_at = CASE WHEN $8 THEN coalesce(effective_at, clock_timestamp()) ELSE effective_at END,
         deadline_at = CASE WHEN $9::double precision IS NULL THEN deadline_at
           ELSE clock_timestamp() + $9::double precision * interval '1 second' END,
         effect_why = CASE WHEN $2::text IS NULL THEN effect_why ELSE $11 END,
         watch_until = CASE WHEN $11 = 'awaited' THEN coalesce(applied_at, clock_timestamp()) + interval '${watchHours} hours'
           WHEN $2::text IS NULL THEN watch_until END,
         look_at = CASE WHEN $11 = 'awaited' THEN ${nextLookSql} ELSE look_at END
       WHERE id = $1 AND ($10::text[] IS NULL OR state = ANY ($10))
         AND (NOT $12 OR watch_until IS NOT NULL) RETURNING id, cluster, namespace, name)
     ${logSql}`,
    [
      id,
      change.state ?? null,
      toColumn(change.message),
      change.plan === undefined ? null : JSON.stringify(change.plan),
      change.intentSeq ?? null,
      change.outcomeSeq ?? null,
      change.isApplied ?? false,
      change.isEffective ?? false,
      change.deadlineSeconds ?? null,
      from === undefined ? null : [...from],
      change.why ?? null,
      onlyWatched,
    ],
  );
  return result.rowCount === 1;
}

/** An intent without outcome for this long counts as unknown: its writer is gone. Becomes the row's deadline. */
export const orphanedIntentSeconds = 75;

/** SQL condition on `action`: its outcome is unknown, and the process that could report it is gone: read it back. */
export const unresolvedSql = `(state = 'unknown' OR (state = 'requested' AND intent_seq IS NOT NULL
  AND outcome_seq IS NULL AND coalesce(deadline_at, requested_at) < now()))`;

/**
 * SQL condition on `action`: its intent has no outcome yet; it is in progress or lost. Until the outcome is known
 * nothing may advance the rollout: the next decision would depend on what this action may change.
 */
export const openSql = `(state = 'unknown' OR (state = 'requested' AND intent_seq IS NOT NULL AND outcome_seq IS NULL))`;

export function openMessageOf(open: OpenAction): string {
  return `${describeOpenAction(open)} Abort and Pause work meanwhile.`;
}

/** Finds another open action; `except` is the one that asks. */
export async function findOpenAction({
  client,
  rolloutId,
  except,
}: {
  client: Pool | PoolClient;
  rolloutId: string;
  except?: string | undefined;
}): Promise<OpenAction | undefined> {
  const { rows } = await client.query<OpenAction>(
    `SELECT message AS "lastHeard" FROM action WHERE rollout_id = $1 AND id IS DISTINCT FROM $2 AND ${openSql} LIMIT 1`,
    [rolloutId, except ?? null],
  );
  return rows[0];
}

/**
 * Throws if another action is open. Call it in the transaction that commits an intent, before its row is marked.
 * Intents of one rollout are serialised across all replicas, so each sees those before it.
 */
export async function assertNoOpenAction({
  client,
  rolloutId,
  id,
}: {
  client: PoolClient;
  rolloutId: string;
  id: string;
}): Promise<void> {
  await client.query("SELECT pg_advisory_xact_lock(hashtextextended('gatehouse action ' || $1, 0))", [rolloutId]);
  const open = await findOpenAction({ client, rolloutId, except: id });
  if (open !== undefined) throw new ServiceError("not_allowed_now", openMessageOf(open), { actionId: id });
}
