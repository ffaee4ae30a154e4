import type { Pool, PoolClient } from "pg";
import { writeChanges } from "./change-rows.ts";
import { storableText } from "./text-fields.ts";
import type { SourceKey } from "./watched-resources.ts";

export type SourceStateName = "syncing" | "live" | "stale" | "denied" | "absent" | "suspect" | "error";

/** What is written of a source. Contacts are moments of `performance.now()`; fields left out stay as they are. */
export type SourceUpdate = {
  state?: SourceStateName;
  lastError?: string | null;
  watchContact?: number;
  readContact?: number;
  isSynced?: boolean;
  resourceVersion?: string;
  objects?: number;
};

/** Makes the source's row where there is none, and reads where an earlier process stopped. */
export async function openSource(
  tx: PoolClient,
  { source, staleAfterMs }: { source: SourceKey; staleAfterMs: number },
): Promise<{ resourceVersion: string | undefined }> {
  const { rows } = await tx.query<{ resource_version: string | null }>(
    `INSERT INTO source (id, cluster, resource, kind, namespace, state, stale_after_ms, history_begins_at)
     VALUES ($1, $2, $3, $4, $5, 'syncing', $6, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET state = 'syncing', stale_after_ms = EXCLUDED.stale_after_ms,
       history_begins_at = COALESCE(source.history_begins_at, EXCLUDED.history_begins_at), updated_at = clock_timestamp()
     RETURNING resource_version`,
    [source.id, source.cluster, source.resource, source.kind, source.namespace, staleAfterMs],
  );
  return { resourceVersion: rows[0]?.resource_version ?? undefined };
}

/**
 * Contacts become times of the database's clock: readers compare them with that same clock. A change of state goes to
 * the change log too.
 */
export async function updateSource(
  tx: PoolClient,
  { source, update, now }: { source: SourceKey; update: SourceUpdate; now: number },
): Promise<void> {
  const ageOf = (contact: number | undefined): number | null =>
    contact === undefined ? null : Math.max(0, (now - contact) / 1000);
  const { rows } = await tx.query<{ is_changed: boolean }>(
    `WITH before AS (SELECT id, state FROM source WHERE id = $1)
     UPDATE source SET
       state = COALESCE($2, source.state),
       last_error = CASE WHEN $3 THEN $4 ELSE last_error END,
       watch_contact_at = GREATEST(watch_contact_at, clock_timestamp() - make_interval(secs => $5)),
       read_contact_at = GREATEST(read_contact_at, clock_timestamp() - make_interval(secs => $6)),
       synced_at = CASE WHEN $7 THEN clock_timestamp() ELSE synced_at END,
       resource_version = COALESCE($8, resource_version),
       objects = COALESCE($9, objects),
       updated_at = clock_timestamp()
      FROM before WHERE source.id = before.id
      RETURNING before.state <> source.state AS is_changed`,
    [
      source.id,
      update.state ?? null,
      update.lastError !== undefined,
      update.lastError == null ? null : storableText(update.lastError).slice(0, 1000),
      ageOf(update.watchContact),
      ageOf(update.readContact),
      update.isSynced === true,
      update.resourceVersion ?? null,
      update.objects ?? null,
    ],
  );
  if (rows[0]?.is_changed !== true) return;
  const { cluster, namespace } = source;
  await writeChanges(tx, [{ kind: "source", ref: source.id, op: "upsert", cluster, namespace }]);
}

/**
 * Compares the uid of the kube-system namespace with the one that the cluster had at first. False where it is another
 * cluster. Whoever comes first keeps it.
 */
export async function claimClusterIdentity(
  pool: Pool,
  { cluster, uid }: { cluster: string; uid: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ kube_system_uid: string | null }>(
    `INSERT INTO cluster (name, kube_system_uid) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET kube_system_uid = COALESCE(cluster.kube_system_uid, EXCLUDED.kube_system_uid)
     RETURNING kube_system_uid`,
    [cluster, uid],
  );
  return rows[0]?.kube_system_uid === uid;
}
