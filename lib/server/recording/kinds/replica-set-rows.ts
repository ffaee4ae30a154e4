import type { PoolClient } from "pg";
import type { KnownRevisions, RevisionFacts, RevisionSet } from "#lib/domain/delivery/attribute-revision.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** As a view takes it, with every revision it has had. */
export type StoredReplicaSet = RevisionSet & { revisions: number[] };

/** Loads the ReplicaSets of each of these rollouts that the cluster still has. */
export async function loadReplicaSets(
  tx: PoolClient,
  rolloutIds: readonly string[],
): Promise<Map<string, StoredReplicaSet[]>> {
  const rows = await readRows(
    tx,
    tables
      .selectFrom("replica_set")
      .select(["rollout_id", "name", "pod_hash", "revision", "revisions", "images"])
      .select(["replicas", "ready", "available", "desired"])
      .where(({ ref }) => isOneOf(ref("rollout_id"), rolloutIds, "uuid"))
      .where("presence", "=", "live")
      .orderBy("created_at")
      .orderBy("uid")
      .$narrowType<{ rollout_id: string }>(),
    { isPrepared: true },
  );
  const byRollout = new Map<string, StoredReplicaSet[]>();
  for (const { rollout_id: id, pod_hash: podHash, revision, ...facts } of rows) {
    const list = byRollout.get(id) ?? [];
    list.push({ ...facts, podHash: podHash ?? undefined, revision: revision ?? undefined });
    byRollout.set(id, list);
  }
  return byRollout;
}

/** Maps pod hashes to the revisions and images of these ReplicaSets. If a hash occurs twice, the later one is added. */
export function toKnownRevisions(
  replicaSets: readonly (Pick<StoredReplicaSet, "revisions" | "images"> & {
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

/** Loads the known revisions from all ReplicaSets that the rollout ever had, including deleted ones. */
export async function loadKnownRevisions(db: Connection, rolloutId: string): Promise<KnownRevisions> {
  const sets = await prismaOn(db).replicaSet.findMany({
    where: { rolloutId },
    orderBy: [{ createdAt: "asc" }, { uid: "asc" }],
    select: { podHash: true, revision: true, revisions: true, images: true },
  });
  return toKnownRevisions(
    sets.map(({ podHash, revision, ...facts }) => ({
      ...facts,
      podHash: podHash ?? undefined,
      revision: revision ?? undefined,
    })),
  );
}

/** Lists the ReplicaSets, including new ones, whose facts for releases will differ from those stored now. */
export async function listChangedFacts(
  tx: PoolClient,
  rows: readonly { uid: string; pod_hash: string | null; revisions: string; images: string }[],
): Promise<string[]> {
  const uids = rows.map(({ uid }) => uid);
  const stored = await readRows(
    tx,
    tables
      .selectFrom("replica_set")
      .select(["uid", "pod_hash", "revisions", "images"])
      .where(({ ref }) => isOneOf(ref("uid"), uids)),
  );
  const factsOf = (facts: unknown[]): string => JSON.stringify(facts);
  const before = new Map(stored.map((row) => [row.uid, factsOf([row.pod_hash, row.revisions, row.images])]));
  return rows.flatMap(({ uid, pod_hash: podHash, revisions, images }) =>
    before.get(uid) === factsOf([podHash, JSON.parse(revisions), JSON.parse(images)]) ? [] : uid,
  );
}

/** Makes the histories of these rollouts due for rederivation by the upkeep, regardless of their derivation version. */
export async function markDueDerivations(tx: PoolClient, rolloutIds: readonly string[]): Promise<void> {
  const update = tables
    .updateTable("rollout")
    .set({ derivation_version: 0 })
    .where(({ ref }) => isOneOf(ref("id"), rolloutIds, "uuid"));
  await write(tx, update);
}

/**
 * Marks rollouts with a stored release that contradicts these ReplicaSets about its revision or images. Their facts
 * were not known when that release was derived.
 */
export async function markContradicted(tx: PoolClient, uids: readonly string[]): Promise<void> {
  if (uids.length === 0) return;
  const contradicted = await readRows(
    tx,
    tables
      .selectFrom("replica_set as rs")
      .innerJoin("release as l", "l.rollout_id", "rs.rollout_id")
      .select("l.rollout_id as id")
      .distinct()
      .where(({ ref }) => isOneOf(ref("rs.uid"), uids))
      .where("rs.pod_hash", "is not", null)
      .where((eb) => {
        const hasRevision = eb("rs.revisions", "@>", eb.fn<number[]>("to_jsonb", ["l.revision"]));
        const isOther = eb.or([
          eb("l.images", "<>", eb.ref("rs.images")),
          eb("l.revision", "is", null),
          eb.not(hasRevision),
        ]);
        return eb.case().when("l.run_key", "=", eb.ref("rs.pod_hash")).then(isOther).else(hasRevision).end();
      }),
  );
  if (contradicted.length > 0)
    await markDueDerivations(
      tx,
      contradicted.map(({ id }) => id),
    );
}
