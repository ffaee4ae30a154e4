import type { Pool, PoolClient } from "pg";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { writeChanges } from "./change-rows.ts";
import { storableText } from "./text-fields.ts";

export type SourceStateName = "syncing" | "live" | "stale" | "denied" | "absent" | "suspect" | "error";

/** Why objects that seem to be gone are not believed to be: the list was empty, or too many went at once. */
export type HoldReason = "empty" | "shrink";

/** What a source holds back. `objects`: uid -> the presence that the object gets once this is believed. */
export type StoredHold = { id: string; reason: HoldReason; objects: Record<string, string> };

/** Columns to update for a source. Contacts are times of `performance.now()`; omitted fields stay as they are. */
export type SourceUpdate = {
  state?: SourceStateName;
  lastError?: string | null;
  watchContact?: number;
  readContact?: number;
  isSynced?: boolean;
  resourceVersion?: string;
  objects?: number;
  clockSkewMs?: number;
  /** Everything that is held now; null if nothing is. */
  hold?: StoredHold | null;
};

/** Creates the source's row if it is missing, and reads where an earlier process stopped. */
export async function openSource(
  tx: PoolClient,
  { source, staleAfterMs }: { source: SourceKey; staleAfterMs: number },
): Promise<{ resourceVersion: string | undefined; hold: StoredHold | undefined }> {
  const { rows } = await tx.query<{ resource_version: string | null }>(
    `INSERT INTO source (id, cluster, resource, kind, namespace, state, stale_after_ms, history_begins_at)
     VALUES ($1, $2, $3, $4, $5, 'syncing', $6, clock_timestamp())
     ON CONFLICT (id) DO UPDATE SET state = 'syncing', stale_after_ms = EXCLUDED.stale_after_ms,
       history_begins_at = COALESCE(source.history_begins_at, EXCLUDED.history_begins_at), updated_at = clock_timestamp()
     RETURNING resource_version`,
    [source.id, source.cluster, source.resource, source.kind, source.namespace, staleAfterMs],
  );
  const holds = await tx.query<StoredHold>("SELECT id, reason, objects FROM source_hold WHERE source_id = $1", [
    source.id,
  ]);
  return { resourceVersion: rows[0]?.resource_version ?? undefined, hold: holds.rows[0] };
}

/**
 * Updates the source's row. Contacts become times of the database's clock, which readers compare them with. A change of
 * state is also written to the change log.
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
       clock_skew_ms = COALESCE($10, clock_skew_ms),
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
      update.clockSkewMs ?? null,
    ],
  );
  const isHoldChanged = update.hold !== undefined && (await storeHold(tx, source.id, update.hold));
  if (rows[0]?.is_changed !== true && !isHoldChanged) return;
  const { cluster, namespace } = source;
  await writeChanges(tx, [{ kind: "source", ref: source.id, op: "upsert", cluster, namespace, name: null }]);
}

/** Stores the hold. Its start time stays unchanged for as long as it is the same hold. */
async function storeHold(tx: PoolClient, sourceId: string, hold: StoredHold | null): Promise<boolean> {
  if (hold === null) {
    const { rowCount } = await tx.query("DELETE FROM source_hold WHERE source_id = $1", [sourceId]);
    return rowCount !== 0;
  }
  await tx.query(
    `INSERT INTO source_hold (source_id, id, reason, since, objects) VALUES ($1, $2, $3, clock_timestamp(), $4)
     ON CONFLICT (source_id) DO UPDATE SET id = EXCLUDED.id, reason = EXCLUDED.reason, objects = EXCLUDED.objects,
       since = CASE WHEN source_hold.id = EXCLUDED.id THEN source_hold.since ELSE EXCLUDED.since END`,
    [sourceId, hold.id, hold.reason, JSON.stringify(hold.objects)],
  );
  return true;
}

export type Release = { id: string; holdId: string; uids: string[] };

/** Lists the releases that people requested and that are not carried out yet. */
export async function listReleases(pool: Pool, sourceId: string): Promise<Release[]> {
  const { rows } = await pool.query<Release>(
    `SELECT id, hold_id AS "holdId", uids FROM source_release WHERE source_id = $1 AND done_at IS NULL ORDER BY asked_at`,
    [sourceId],
  );
  return rows;
}

export async function finishReleases(tx: PoolClient, ids: readonly string[]): Promise<void> {
  await tx.query("UPDATE source_release SET done_at = clock_timestamp() WHERE id = ANY($1::uuid[])", [ids]);
}

/**
 * Compares the uid of the kube-system namespace with the first one recorded for the cluster. Returns false if it is
 * another cluster. The first caller's uid is kept.
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
