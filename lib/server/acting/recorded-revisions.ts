import type { Pool } from "pg";
import { rolloutKinds } from "#lib/domain/providers.ts";

export type RecordedRevision = { revision: number | undefined; podHash: string | undefined; images: string[] };

/** Reads the recorded ReplicaSets of a rollout that the cluster still has: undo can offer these. */
export async function readRecordedRevisions({
  pool,
  cluster,
  rolloutUid,
}: {
  pool: Pool;
  cluster: string;
  rolloutUid: string;
}): Promise<RecordedRevision[]> {
  const { rows } = await pool.query<{ revision: number | null; pod_hash: string | null; images: string[] }>(
    `SELECT revision, pod_hash, images FROM replica_set
     WHERE cluster = $1 AND owner_uid = $2 AND owner_kind = ANY ($3) AND presence = 'live'`,
    [cluster, rolloutUid, rolloutKinds],
  );
  return rows.map((row) => ({
    revision: row.revision ?? undefined,
    podHash: row.pod_hash ?? undefined,
    images: row.images,
  }));
}
