import type { Pool } from "pg";
import { rolloutKinds } from "#lib/domain/providers.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";

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
  const rows = await readRows(
    pool,
    tables
      .selectFrom("replica_set as s")
      .select(["s.revision", "s.pod_hash", "s.images"])
      .where("s.cluster", "=", cluster)
      .where("s.owner_uid", "=", rolloutUid)
      .where(({ ref }) => isOneOf(ref("s.owner_kind"), rolloutKinds))
      .where("s.presence", "=", "live"),
  );
  return rows.map((row) => ({
    revision: row.revision ?? undefined,
    podHash: row.pod_hash ?? undefined,
    images: row.images,
  }));
}
