import { sql } from "kysely";
import type { Pool, PoolClient } from "pg";
import { apiVersionOfKind } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { clockTime, secondsBefore } from "#lib/server/platform/db/database-time.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { readRows, write } from "#lib/server/platform/db/run-query.ts";
import { type Columns, fragment, tableName, tables, wantedRows } from "#lib/server/platform/db/tables.ts";
import { writeChanges } from "#lib/server/recording/store/change-rows.ts";
import { loadRolloutChanges } from "./kind-rows.ts";

const { fn, ref } = fragment<{
  d: "deployment";
  e: "experiment";
  pod: "pod";
  r: "rollout";
  rs: "replica_set";
  run: "analysis_run";
}>();

/** How long an event waits for its object to appear. */
export const unlinkedMinutes = 5;
const maxPerPass = 10_000;

/**
 * Watched kinds of Kubernetes' own groups, which have no domain (`apps`). Others use them too: their events matter only
 * if they belong to a rollout.
 */
const sharedKinds = [...apiVersionOfKind].flatMap(([kind, apiVersion]) => (apiVersion.includes(".") ? [] : kind));

/** Returns whether an event about this kind is kept even if no owning rollout is known. */
export function isKeptUnlinked(kind: string): boolean {
  return !sharedKinds.includes(kind);
}

/**
 * Maps uids of recorded objects to the ids of the rollouts at their top. Objects without such a rollout are left out.
 */
export async function loadEventOwners(
  client: Pool | PoolClient,
  uids: readonly string[],
): Promise<Map<string, string>> {
  if (uids.length === 0) return new Map();
  const top = fn.coalesce("rs.rollout_id", "e.rollout_id");
  const rows = await readRows(
    client,
    sql<{ uid: string; rollout_id: string }>`
      WITH wanted AS (SELECT DISTINCT unnest(${uids}::text[]) AS uid)
      SELECT wanted.uid, ${ref("run.rollout_id")} FROM wanted
        JOIN ${tableName("analysis_run")} AS run ON ${ref("run.uid")} = wanted.uid
      UNION ALL
      SELECT wanted.uid, ${ref("e.rollout_id")} FROM wanted
        JOIN ${tableName("experiment")} AS e ON ${ref("e.uid")} = wanted.uid WHERE ${ref("e.rollout_id")} IS NOT NULL
      UNION ALL
      SELECT set.wanted_uid, ${top} FROM (
          SELECT wanted.uid AS wanted_uid, wanted.uid AS set_uid FROM wanted
          UNION ALL
          SELECT wanted.uid, ${ref("pod.owner_uid")} FROM wanted
            JOIN ${tableName("pod")} AS pod ON ${ref("pod.uid")} = wanted.uid) AS set
        JOIN ${tableName("replica_set")} AS rs ON ${ref("rs.uid")} = set.set_uid
        LEFT JOIN ${tableName("experiment")} AS e ON ${ref("e.uid")} = ${ref("rs.owner_uid")}
        WHERE ${top} IS NOT NULL
      UNION ALL
      SELECT wanted.uid, ${ref("r.id")} FROM wanted
        JOIN ${tableName("deployment")} AS d ON ${ref("d.uid")} = wanted.uid
        JOIN ${tableName("rollout")} AS r ON ${ref("r.cluster")} = ${ref("d.cluster")}
          AND ${ref("r.namespace")} = ${ref("d.namespace")} AND (${ref("r.workload_ref")} = ${ref("d.name")}
            OR ${ref("r.workloads")} @> jsonb_build_array(${ref("d.kind")} || '/' || ${ref("d.name")}))
          AND ${ref("r.presence")} = 'live'`,
  );
  return new Map(rows.map((row) => [row.uid, row.rollout_id]));
}

/**
 * Makes one pass over events that arrived before their objects, newest first. Events whose rollout is now known are
 * linked to it; events of unrelated pods are deleted. Some wait for ever and must not block the others. Several
 * recorders may run this at once. Resolves with the number of linked events.
 */
export async function linkEvents(
  pool: Pool,
  { maxEvents = maxPerPass }: { maxEvents?: number } = {},
): Promise<{ linked: number }> {
  const newest = tables
    .selectFrom("kube_event")
    .select("involved_uid")
    .where("rollout_id", "is", null)
    .orderBy("last_at", "desc")
    .limit(maxEvents);
  const waiting = await readRows(pool, tables.selectFrom(newest.as("newest")).select("involved_uid").distinct());
  if (waiting.length === 0) return { linked: 0 };
  const owners = await loadEventOwners(
    pool,
    waiting.map((row) => row.involved_uid),
  );
  const known = wantedRows(
    { uid: "text", rollout_id: "uuid" },
    [...owners].map(([uid, rolloutId]) => ({ uid, rollout_id: rolloutId })),
  );
  const linked = await inTransaction(pool, async (tx) => {
    const rows = await readRows(
      tx,
      tables
        .updateTable("kube_event")
        .from(known)
        .set(({ ref }) => ({ rollout_id: ref("wanted.rollout_id") }) satisfies Columns<"kube_event">)
        .whereRef("kube_event.involved_uid", "=", "wanted.uid")
        .where("kube_event.rollout_id", "is", null)
        .returning("wanted.rollout_id"),
    );
    const rolloutIds = rows.map((row) => row.rollout_id);
    await writeChanges(tx, await loadRolloutChanges(tx, { kind: "rollout-events", rolloutIds }));
    return rows.length;
  });
  await write(
    pool,
    tables
      .deleteFrom("kube_event")
      .where("rollout_id", "is", null)
      .where(({ ref }) => isOneOf(ref("involved_kind"), sharedKinds))
      .where("updated_at", "<", secondsBefore(clockTime, unlinkedMinutes * 60)),
  );
  return { linked };
}
