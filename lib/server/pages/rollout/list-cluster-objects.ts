import { z } from "zod";
import type { RolloutEvent, RolloutEventQuery, RolloutPod, RolloutPodQuery } from "#lib/contract/cluster-objects.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import { allOf, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

const selectReplicaSets = tables.selectFrom("replica_set as s").select(["s.uid", "s.name", "s.revision"]);
const selectOfExperiments = tables
  .selectFrom("experiment as e")
  .innerJoin("replica_set as s", "s.owner_uid", "e.uid")
  .select(["s.uid", "s.name", "e.revision"]);

function selectPods(rolloutIds: readonly string[]) {
  const owners = selectReplicaSets
    .where(({ ref }) => isOneOf(ref("s.rollout_id"), rolloutIds, "uuid"))
    .unionAll(selectOfExperiments.where(({ ref }) => isOneOf(ref("e.rollout_id"), rolloutIds, "uuid")));
  return tables
    .selectFrom(owners.as("owner"))
    .innerJoin("pod as p", "p.owner_uid", "owner.uid")
    .selectAll("p")
    .select(({ cast }) => [
      "owner.name as replica_set",
      "owner.revision",
      cast<string>("p.created_at", "text").as("created_key"),
    ]);
}

type Row = RowOf<ReturnType<typeof selectPods>>;

/** Lists pods of a rollout's ReplicaSets, and of those of its Experiments, newest first. Throws `not_found`. */
export async function listRolloutPods({
  ctx,
  input,
}: Call<RolloutPath & RolloutPodQuery>): Promise<ListPage<RolloutPod>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const query = selectPods(rolloutIds)
    .where((eb) =>
      allOf([
        given(input.replicaSet, (name) => eb("owner.name", "=", name)),
        given(input.presence, (presence) => eb("p.presence", "=", presence)),
        given(after, (key) => isPast({ time: eb.ref("p.created_at"), id: eb.ref("p.uid") }, key)),
      ]),
    )
    .orderBy("p.created_at", "desc")
    .orderBy("p.uid");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.created_key, row.uid],
    toItem: serializePod,
  });
}

function serializePod(row: Row): RolloutPod {
  return {
    uid: row.uid,
    namespace: row.namespace,
    name: row.name,
    replicaSet: row.replica_set,
    podHash: row.pod_hash,
    revision: row.revision,
    phase: row.phase,
    reason: row.reason,
    message: row.message,
    ready: row.ready,
    containers: row.containers,
    readyContainers: row.ready_containers,
    restarts: row.restarts,
    node: row.node,
    presence: row.presence,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    goneAt: row.gone_at?.toISOString() ?? null,
  };
}

const selectEvents = tables
  .selectFrom("kube_event as v")
  .selectAll("v")
  .select(({ cast }) => cast<string>("v.last_at", "text").as("last_key"));

/**
 * Lists events of the cluster about a rollout, its ReplicaSets, pods, runs and Experiments, newest occurrence first.
 * One event represents all its repetitions. Throws `not_found`.
 */
export async function listRolloutEvents({
  ctx,
  input,
}: Call<RolloutPath & RolloutEventQuery>): Promise<ListPage<RolloutEvent>> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const query = selectEvents
    .where((eb) =>
      allOf([
        isOneOf(eb.ref("v.rollout_id"), rolloutIds, "uuid"),
        given(input.type, (type) => eb("v.type", "=", type)),
        given(input.involvedKind, (kind) => eb("v.involved_kind", "=", kind)),
        given(after, (key) => isPast({ time: eb.ref("v.last_at"), id: eb.ref("v.uid") }, key)),
      ]),
    )
    .orderBy("v.last_at", "desc")
    .orderBy("v.uid");
  return readPage(ctx.runtime.pool, {
    query,
    limit: input.limit,
    keyOf: (row) => [row.last_key, row.uid],
    toItem: serializeEvent,
  });
}

function serializeEvent(row: RowOf<typeof selectEvents>): RolloutEvent {
  return {
    uid: row.uid,
    involved: { kind: row.involved_kind, name: row.involved_name, uid: row.involved_uid },
    type: row.type,
    reason: row.reason,
    message: row.message,
    count: row.count,
    reporter: row.reporter,
    firstAt: row.first_at.toISOString(),
    lastAt: row.last_at.toISOString(),
  };
}
