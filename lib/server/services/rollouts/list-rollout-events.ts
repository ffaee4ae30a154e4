import { z } from "zod";
import type { RolloutEvent, RolloutEventQuery } from "#lib/contract/cluster-objects.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { findRolloutIds } from "#lib/server/services/rollouts/find-rollout.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

type Row = {
  uid: string;
  involved_kind: string;
  involved_name: string;
  involved_uid: string;
  type: string;
  reason: string;
  message: string;
  count: number;
  reporter: string | null;
  first_at: Date;
  last_at: Date;
  last_key: string;
};

/**
 * Lists events of the cluster about a rollout, its ReplicaSets, pods, runs and Experiments, newest occurrence first.
 * One event represents all its repetitions. Throws `not_found`.
 */
export async function listRolloutEvents({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & RolloutEventQuery;
}): Promise<{ items: RolloutEvent[]; nextCursor: string | null }> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  sql.where(rolloutIds, (value) => `v.rollout_id = ANY(${value}::uuid[])`);
  sql.where(input.type, (value) => `v.type = ${value}`);
  sql.where(input.involvedKind, (value) => `v.involved_kind = ${value}`);
  sql.where(after?.[0], (time) => {
    const uid = sql.bind(after?.[1]);
    return `v.last_at <= ${time}::timestamptz AND (v.last_at < ${time}::timestamptz OR v.uid > ${uid})`;
  });
  const { rows } = await ctx.runtime.pool.query<Row>(
    `SELECT v.uid, v.involved_kind, v.involved_name, v.involved_uid, v.type, v.reason, v.message, v.count, v.reporter,
       v.first_at, v.last_at, v.last_at::text AS last_key
     FROM kube_event v WHERE ${sql.text()} ORDER BY v.last_at DESC, v.uid LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.last_key, row.uid], toItem: serializeEvent });
}

function serializeEvent(row: Row): RolloutEvent {
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
