import { type Expression, sql, type UpdateObject } from "kysely";
import type { Pool, PoolClient } from "pg";
import { z } from "zod";
import type { ActionState } from "#lib/contract/action.ts";
import { describeOpenAction, type OpenAction } from "#lib/domain/acting/describe-open-action.ts";
import type { StoredEffect } from "#lib/domain/acting/effect.ts";
import type { ObjectRef } from "#lib/domain/delivery/object-ref.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { ServiceError } from "#lib/server/platform/actor/service-error.ts";
import { allOf, given } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsAfter, secondsBefore, transactionTime } from "#lib/server/platform/db/database-time.ts";
import { withChangeLog } from "#lib/server/platform/db/log-change.ts";
import { type Connection, type RowOf, readRow, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { countRows, jsonOf, textAt } from "#lib/server/platform/db/sql-functions.ts";
import { fragment, type Scope, tables, toColumn } from "#lib/server/platform/db/tables.ts";
import type { SpanAttributes } from "#lib/server/platform/telemetry/tracing.ts";

const Patch = z.object({ subresource: z.enum(["", "status"]), body: z.record(z.string(), z.unknown()) });

/** The parts of the plan that the row keeps: any process that finds the row can read back the outcome. */
export const StoredPlan = z.object({
  /** As shown: for a pod template without its values. */
  patches: z.array(Patch).optional(),
  patchesDone: z.number().optional(),
  /** It is a decision that Gatehouse keeps: nothing is sent. */
  isDecision: z.boolean().optional(),
  /** The provider that planned it; only this one reads the effect. Absent in actions of older versions. */
  provider: z.string().optional(),
  expectedEffect: z.custom<StoredEffect>().optional(),
  /** Of the revision that was acted on. */
  runKey: z.string().optional(),
  /** Of the object that was patched instead of the rollout. */
  targetUid: z.string().optional(),
  /** Pauses that the controller may pass because of the action: they do not count as skipped. */
  passesPauses: z.array(z.number()).optional(),
  /** Digest and resourceVersion of the rollout that the patches were made for; absent if no rollout owns the run. */
  digest: z.string().optional(),
  resourceVersion: z.string().optional(),
  /** The token of the agent that acted by itself: its budget counts these. */
  agent: z.string().optional(),
  /** Of the request, if it was traced: the recorder adds to its trace. */
  traceparent: z.string().optional(),
  /** `answer`: the fields of its problem document other than code and message, as JSON text, for repeated requests. */
  refusal: z.object({ code: z.string(), answer: z.string().optional() }).optional(),
  /** The tickets about which a system was asked, or was about to be: it is told every outcome. */
  tickets: z.array(z.object({ rule: z.string(), ticket: z.string() })).optional(),
});
export type StoredPlan = z.infer<typeof StoredPlan>;

/** Of the spans about an action: which one, where. */
export function actionAttributes({
  action,
  cluster,
  namespace,
  kind,
  name,
}: ObjectRef & { action: string }): SpanAttributes {
  return {
    "gatehouse.action": action,
    "k8s.cluster.name": cluster,
    "k8s.namespace.name": namespace,
    "gatehouse.object": `${kind}/${name}`,
  };
}

const eb = fragment<{ a: "action" }>();
const { fn, ref } = eb;

/** Two members of a stored plan. Plans of older versions have them in the effect, which only Argo wrote then. */
export function runKeyOf(plan: Expression<unknown>) {
  return fn.coalesce(textAt(plan, "runKey"), textAt(plan, "expectedEffect", "podHash"));
}
export function targetUidOf(plan: Expression<unknown>) {
  return fn.coalesce(textAt(plan, "targetUid"), textAt(plan, "expectedEffect", "target", "uid"));
}

export const actionColumns = [
  "a.id",
  "a.rollout_id",
  "a.cluster",
  "a.namespace",
  "a.kind",
  "a.name",
  "a.action",
  "a.state",
  "a.reason",
  "a.actor_key",
  "a.actor_name",
  "a.actor_username",
  "a.plan",
  "a.params",
  "a.message",
  "a.intent_seq",
  "a.outcome_seq",
  "a.group_seq",
  "a.request_id",
  "a.request_hash",
  "a.requested_at",
  "a.applied_at",
  "a.effective_at",
  "a.deadline_at",
  "a.effect_why",
  "a.watch_until",
] as const;

const selectActions = tables.selectFrom("action as a").select(actionColumns);

export type ActionRow = RowOf<typeof selectActions>;

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
  /** A random UUID that cannot be guessed: audit events that carry it are of the action's own requests. */
  auditId: string;
  /** The audit entry of the request for many rollouts that it is part of. */
  groupSeq?: number | undefined;
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
  await forgetOldKey(pool, action);
  if ((await write(pool, insertRows([action]))) === 1) return { isNew: true };
  const row = await findTwin(pool, action);
  if (row === undefined)
    throw new ServiceError("conflict", "The idempotency key has just expired. Send the request again.");
  return { isNew: false, row };
}

/**
 * Inserts the rows of a group, all or none. Returns false if the first one's idempotency key is taken: the transaction
 * must then be rolled back, and `findTwin` finds the earlier request.
 */
export async function insertGroup(client: PoolClient, actions: readonly NewAction[]): Promise<boolean> {
  return (await write(client, insertRows(actions))) === actions.length;
}

function insertRows(actions: readonly NewAction[]) {
  const insert = tables
    .insertInto("action")
    .values(
      actions.map(({ path, params, ...action }) => ({
        id: action.id,
        rollout_id: action.rolloutId,
        cluster: path.cluster,
        namespace: path.namespace,
        kind: path.kind,
        name: path.name,
        action: action.action,
        state: "requested" as const,
        reason: toColumn(action.reason),
        actor_key: toColumn(action.actorKey),
        actor_name: toColumn(action.actorName),
        actor_username: toColumn(action.actorUsername),
        view_digest: toColumn(action.viewDigest),
        idempotency_key: action.idempotencyKey ?? null,
        request_hash: action.requestHash,
        request_id: action.requestId,
        audit_id: action.auditId,
        group_seq: action.groupSeq?.toString() ?? null,
        params: toStorableJson(params),
      })),
    )
    .onConflict((conflict) => conflict.columns(["actor_key", "idempotency_key"]).doNothing())
    .returning(["id", "cluster", "namespace", "kind", "name"]);
  return withChangeLog("action", insert);
}

type Keyed = Pick<NewAction, "actorKey" | "idempotencyKey">;

function hasKey(keyed: Keyed) {
  const { actorKey, idempotencyKey = null } = keyed;
  return eb.and([eb("a.actor_key", "=", actorKey), eb("a.idempotency_key", "=", idempotencyKey)]);
}

/** Frees an idempotency key that was used more than 24 h ago. */
export async function forgetOldKey(pool: Pool, keyed: Keyed): Promise<void> {
  if (keyed.idempotencyKey === undefined) return;
  const isOld = eb("a.requested_at", "<", secondsBefore(transactionTime, 24 * 3600));
  await write(pool, tables.updateTable("action as a").set({ idempotency_key: null }).where(hasKey(keyed)).where(isOld));
}

/** Finds the row that has the idempotency key. Throws `conflict` if that was another request. */
export async function findTwin(
  pool: Pool,
  action: Keyed & Pick<NewAction, "requestHash">,
): Promise<ActionRow | undefined> {
  const row = await readRow(pool, selectActions.where(hasKey(action)));
  if (row !== undefined && row.request_hash !== action.requestHash)
    throw new ServiceError("conflict", "This Idempotency-Key was used for another request. Use a new one.", {
      actionId: row.id,
    });
  return row;
}

export async function findAction(pool: Pool, id: string): Promise<ActionRow | undefined> {
  return readRow(pool, selectActions.where("a.id", "=", id));
}

/** Reads the actions of a group, by address. */
export async function readGroupActions(pool: Pool, seq: number): Promise<ActionRow[]> {
  const ofGroup = selectActions.where("a.group_seq", "=", String(seq));
  return readRows(pool, ofGroup.orderBy("a.cluster").orderBy("a.namespace").orderBy("a.name").orderBy("a.id"));
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
const nextLook = sql<Date>`clock_timestamp() + interval '1 second' * least(60, greatest(5,
  extract(epoch FROM clock_timestamp() - ${ref("a.requested_at")}) / 8))`;

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
  await write(
    client,
    tables
      .updateTable("action as a")
      .set({ judged_version: row.seen_version, look_at: row.is_look_due ? nextLook : undefined })
      .where("a.id", "=", row.id)
      .where("a.watch_until", "is not", null),
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
  const update = tables
    .updateTable("action as a")
    .set(columnsOf(change))
    .where("a.id", "=", id)
    .where(allOf([given(from, (states) => eb("a.state", "in", states)), onlyWatched ? isWatched : undefined]))
    .returning(["a.id", "a.cluster", "a.namespace", "a.kind", "a.name"]);
  return (await write(client, withChangeLog("action", update))) === 1;
}

const isWatched = eb("a.watch_until", "is not", null);

/** A new state ends what the former one waited for, unless its effect is still awaited. Undefined ones stay. */
function columnsOf(change: ActionChange): UpdateObject<Scope<{ a: "action" }>, "a"> {
  const { state, message, plan, intentSeq, outcomeSeq, isApplied, isEffective, deadlineSeconds, why } = change;
  const isAwaited = why === "awaited";
  const ended = state === undefined ? undefined : null;
  return {
    state,
    effect_why: state === undefined ? undefined : (why ?? null),
    watch_until: isAwaited ? watchEnd : ended,
    look_at: isAwaited ? nextLook : undefined,
    message: message === undefined ? undefined : toColumn(message),
    plan: plan === undefined ? undefined : eb("a.plan", "||", jsonOf(toStorableJson(plan))),
    intent_seq: intentSeq?.toString(),
    outcome_seq: outcomeSeq?.toString(),
    applied_at: isApplied === true ? eb.fn.coalesce("a.applied_at", clockTime) : undefined,
    effective_at: isEffective === true ? eb.fn.coalesce("a.effective_at", clockTime) : undefined,
    deadline_at: deadlineSeconds === undefined ? undefined : secondsAfter(clockTime, deadlineSeconds),
  };
}

const watchEnd = secondsAfter(eb.fn.coalesce("a.applied_at", clockTime), watchHours * 3600);

/** Counts what an agent has done by itself within an hour. */
export async function countAgentActions(connection: Connection, agent: string): Promise<number> {
  const row = await readRow(
    connection,
    tables
      .selectFrom("action as a")
      .select(countRows().as("count"))
      .where("a.requested_at", ">", secondsBefore(transactionTime, 3600))
      .where(textAt(ref("a.plan"), "agent"), "=", agent),
  );
  return row?.count ?? 0;
}

/** An intent without outcome for this long counts as unknown: its writer is gone. Becomes the row's deadline. */
export const orphanedIntentSeconds = 75;

const isSentAndUnanswered = eb.and([
  eb("a.state", "=", "requested"),
  eb("a.intent_seq", "is not", null),
  eb("a.outcome_seq", "is", null),
]);

/** The outcome of action `a` is unknown, and the process that could report it is gone: read it back. */
export const isUnresolved = eb.or([
  eb("a.state", "=", "unknown"),
  eb.and([isSentAndUnanswered, eb(eb.fn.coalesce("a.deadline_at", "a.requested_at"), "<", transactionTime)]),
]);

/**
 * The intent of action `a` has no outcome yet; it is in progress or lost. Until the outcome is known nothing may advance
 * the rollout: the next decision would depend on what this action may change.
 */
export const isOpen = eb.or([eb("a.state", "=", "unknown"), isSentAndUnanswered]);

export function openMessageOf(open: OpenAction): string {
  return `${describeOpenAction(open)} Abort and Pause still work.`;
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
  return readRow(
    client,
    tables
      .selectFrom("action as a")
      .select("a.message as lastHeard")
      .where("a.rollout_id", "=", rolloutId)
      .where("a.id", "is distinct from", except ?? null)
      .where(isOpen)
      .limit(1),
  );
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
  await write(client, sql`SELECT pg_advisory_xact_lock(hashtextextended('gatehouse action ' || ${rolloutId}, 0))`);
  const open = await findOpenAction({ client, rolloutId, except: id });
  if (open !== undefined) throw new ServiceError("not_allowed_now", openMessageOf(open), { actionId: id });
}
