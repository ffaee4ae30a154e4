import type { PoolClient } from "pg";
import type { KnownRevisions, RevisionFacts } from "#lib/domain/delivery/attribute-revision.ts";
import type { RevisionSet } from "#lib/domain/delivery/revision-set.ts";

type Row = {
  rollout_id: string;
  name: string;
  pod_hash: string | null;
  revision: number | null;
  revisions: number[];
  images: string[];
  replicas: number;
  ready: number;
  available: number;
  desired: number;
};

/** As a view takes it, with every revision it has had. */
export type StoredReplicaSet = RevisionSet & { revisions: number[] };

/** Loads the ReplicaSets of each of these rollouts that the cluster still has. */
export async function loadReplicaSets(
  tx: PoolClient,
  rolloutIds: readonly string[],
): Promise<Map<string, StoredReplicaSet[]>> {
  const { rows } = await tx.query<Row>(
    `SELECT rollout_id, name, pod_hash, revision, revisions, images, replicas, ready, available, desired
       FROM replica_set WHERE rollout_id = ANY($1::uuid[]) AND presence = 'live' ORDER BY created_at, uid`,
    [rolloutIds],
  );
  const byRollout = new Map<string, StoredReplicaSet[]>();
  for (const row of rows) {
    const { rollout_id: id, pod_hash: podHash, revision, ...facts } = row;
    const list = byRollout.get(id) ?? [];
    list.push({ ...facts, podHash: podHash ?? undefined, revision: revision ?? undefined });
    byRollout.set(id, list);
  }
  return byRollout;
}

/** Maps pod hashes to what these ReplicaSets say about them. If a hash occurs twice, the later one is added. */
export function toKnownRevisions(
  replicaSets: readonly (Pick<Row, "revisions" | "images"> & {
    podHash?: string | undefined;
    revision?: number | undefined;
  })[],
): KnownRevisions {
  const known = new Map<string, RevisionFacts>();
  for (const { podHash, revision, revisions, images } of replicaSets) {
    if (podHash === undefined) continue;
    const before = known.get(podHash)?.revisions ?? [];
    // Rows older than the `revisions` column have only the present one.
    const all = new Set([...before, ...revisions, ...(revision === undefined ? [] : [revision])]);
    known.set(podHash, { revisions: [...all].toSorted((one, other) => one - other), images });
  }
  return known;
}

/** Loads what is known from all ReplicaSets that the rollout ever had, including deleted ones. */
export async function loadKnownRevisions(db: Pick<PoolClient, "query">, rolloutId: string): Promise<KnownRevisions> {
  const { rows } = await db.query<Pick<Row, "pod_hash" | "revision" | "revisions" | "images">>(
    "SELECT pod_hash, revision, revisions, images FROM replica_set WHERE rollout_id = $1 ORDER BY created_at, uid",
    [rolloutId],
  );
  return toKnownRevisions(
    rows.map(({ pod_hash: podHash, revision, ...facts }) => ({
      ...facts,
      podHash: podHash ?? undefined,
      revision: revision ?? undefined,
    })),
  );
}

/** Makes the histories of these rollouts due for rederivation by the upkeep, regardless of their derivation version. */
export async function markDueDerivations(tx: PoolClient, rolloutIds: readonly string[]): Promise<void> {
  await tx.query("UPDATE rollout SET derivation_version = 0 WHERE id = ANY($1::uuid[])", [rolloutIds]);
}

/**
 * Marks rollouts with a stored release that contradicts these ReplicaSets about its revision or images. Their facts
 * were not known when that release was derived.
 */
export async function markContradicted(tx: PoolClient, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const { rows } = await tx.query<{ id: string }>(
    `SELECT DISTINCT rs.rollout_id AS id
       FROM replica_set rs JOIN release l ON l.rollout_id = rs.rollout_id
      WHERE rs.uid = ANY($1::text[]) AND rs.pod_hash IS NOT NULL
        AND CASE WHEN l.run_key = rs.pod_hash
            THEN l.images <> rs.images OR l.revision IS NULL OR NOT rs.revisions @> to_jsonb(l.revision)
            ELSE rs.revisions @> to_jsonb(l.revision) END`,
    [uids],
  );
  if (rows.length > 0)
    await markDueDerivations(
      tx,
      rows.map(({ id }) => id),
    );
}
