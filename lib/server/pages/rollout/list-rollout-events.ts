import { z } from "zod";
import type { RolloutEvent, RolloutEventQuery } from "#lib/contract/cluster-objects.ts";
import type { ListPage } from "#lib/contract/common.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import { findRolloutIds } from "#lib/server/people/permission/find-rollout.ts";
import { allOf, given, isOneOf } from "#lib/server/platform/db/conditions.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Call } from "#lib/server/process/service-context.ts";
import { DatabaseTime, isPast, parseListCursor, readPage } from "#lib/server/records/list-cursor.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

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
