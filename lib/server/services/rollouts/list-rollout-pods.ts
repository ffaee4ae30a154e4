import { z } from "zod";
import type { RolloutPod, RolloutPodQuery } from "#lib/contract/cluster-objects.ts";
import type { RolloutPath } from "#lib/contract/rollout.ts";
import type { ServiceContext } from "#lib/server/process/service-context.ts";
import { DatabaseTime, pageOf, parseListCursor } from "#lib/server/services/list-cursor.ts";
import { findRolloutIds } from "#lib/server/services/rollouts/find-rollout.ts";
import { createSqlConditions } from "#lib/server/services/sql-conditions.ts";

const Key = z.tuple([DatabaseTime, z.string()]);

type Row = {
  uid: string;
  namespace: string;
  name: string;
  replica_set: string;
  pod_hash: string | null;
  revision: number | null;
  phase: string;
  reason: string | null;
  message: string;
  ready: boolean;
  containers: number;
  ready_containers: number;
  restarts: number;
  node: string | null;
  presence: RolloutPod["presence"];
  created_at: Date;
  created_key: string;
  started_at: Date | null;
  gone_at: Date | null;
};

/** Lists pods of a rollout's ReplicaSets, and of those of its Experiments, newest first. Throws `not_found`. */
export async function listRolloutPods({
  ctx,
  input,
}: {
  ctx: ServiceContext;
  input: RolloutPath & RolloutPodQuery;
}): Promise<{ items: RolloutPod[]; nextCursor: string | null }> {
  const rolloutIds = await findRolloutIds(ctx, input);
  const after = parseListCursor(Key, input.cursor);
  const sql = createSqlConditions();
  const ids = sql.bind(rolloutIds);
  sql.where(input.replicaSet, (value) => `owner.name = ${value}`);
  sql.where(input.presence, (value) => `p.presence = ${value}`);
  sql.where(after?.[0], (time) => {
    const uid = sql.bind(after?.[1]);
    return `p.created_at <= ${time}::timestamptz AND (p.created_at < ${time}::timestamptz OR p.uid > ${uid})`;
  });
  const { rows } = await ctx.runtime.pool.query<Row>(
    `SELECT p.uid, p.namespace, p.name, owner.name AS replica_set, p.pod_hash, owner.revision, p.phase, p.reason,
       p.message, p.ready, p.containers, p.ready_containers, p.restarts, p.node, p.presence, p.created_at,
       p.created_at::text AS created_key, p.started_at, p.gone_at
     FROM (SELECT s.uid, s.name, s.revision FROM replica_set s WHERE s.rollout_id = ANY(${ids}::uuid[])
           UNION ALL
           SELECT s.uid, s.name, e.revision FROM experiment e JOIN replica_set s ON s.owner_uid = e.uid
            WHERE e.rollout_id = ANY(${ids}::uuid[])) AS owner
     JOIN pod p ON p.owner_uid = owner.uid
     WHERE ${sql.text()} ORDER BY p.created_at DESC, p.uid LIMIT ${sql.bind(input.limit + 1)}`,
    sql.values,
  );
  return pageOf({ rows, limit: input.limit, keyOf: (row) => [row.created_key, row.uid], toItem: serializePod });
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
