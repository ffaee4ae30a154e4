import type { PoolClient } from "pg";
import { controllerOf } from "#lib/domain/kube/kube-object.ts";
import { extractReplicaSetFacts, parseReplicaSet, type ReplicaSetObject } from "#lib/domain/kube/replica-set-object.ts";
import { providerOfKind, readRevisionMark } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { type Columns, insertReturning, isNews, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";
import { lockJoin } from "#lib/server/recorder/store/view-lock.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { listLiveUids, loadRolloutChanges, ownerRolloutId, parseSights, presenceOf } from "./kind-rows.ts";
import { loadReplicaSets, markContradicted } from "./replica-set-rows.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  rollout_id: string | null;
  pod_hash: string | null;
  revision: number | null;
  revisions: string;
  images: string;
  replicas: number;
  ready: number;
  available: number;
  desired: number;
  owner_kind: string | null;
  owner_uid: string | null;
  resource_version: string;
  created_at: string;
  presence: string;
  gone_at: string | null;
  updated_at: string;
};

const columns: Columns<Row> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  name: "text",
  rollout_id: "uuid",
  pod_hash: "text",
  revision: "int4",
  revisions: "jsonb",
  images: "jsonb",
  replicas: "int4",
  ready: "int4",
  available: "int4",
  desired: "int4",
  owner_kind: "text",
  owner_uid: "text",
  resource_version: "text",
  created_at: "timestamptz",
  presence: "text",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

type Written = { rollout_id: string | null; is_new: boolean };

/** Writes ReplicaSets, but only what a rollout's view needs of them: which revision runs what, and how many pods. */
export function createReplicaSetWriter(source: SourceKey): KindWriter {
  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    await lockJoin(tx, "rollout-view", source.cluster);
    await lockJoin(tx, "pod-owner", source.cluster);
    const { sights, poison } = parseSights(entries, parseReplicaSet);
    const rows = new Map(sights.map(({ entry, value }) => [entry.uid, toRow({ source, entry, replicaSet: value })]));
    const changed = await listChangedFacts(tx, rows);
    const written = await insertReturning<Written, Row>(tx, {
      table: "replica_set",
      columns,
      rows: [...rows.values()],
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid", "created_at"])}
        WHERE ${isNews("replica_set")}`,
      returning: "rollout_id, xmax = 0 AS is_new",
    });
    const ownersOf = (each: readonly Written[]): string[] => each.flatMap((row) => row.rollout_id ?? []);
    const views = await refreshViews(tx, ownersOf(written));
    await markContradicted(tx, changed);
    // Its pods may have been stored before it, without notifying anyone.
    const rolloutIds = ownersOf(written.filter((row) => row.is_new));
    const pods = await loadRolloutChanges(tx, { kind: "rollout-pods", rolloutIds });
    return { changes: [...views, ...pods], poison, committed: () => {} };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    await lockJoin(tx, "rollout-view", source.cluster);
    const { rows } = await tx.query<{ rollout_id: string | null }>(
      `UPDATE replica_set SET presence = $2, gone_at = $3, updated_at = $3
        WHERE uid = ANY($1::text[]) AND presence = 'live'
       RETURNING rollout_id`,
      [gone.uids, gone.presence, gone.at],
    );
    return refreshViews(
      tx,
      rows.flatMap((row) => row.rollout_id ?? []),
    );
  }

  return { write, markGone, listLive: (tx) => listLiveUids(tx, "replica_set", source), reset: () => {} };
}

function toRow(options: { source: SourceKey; entry: ObjectEntry; replicaSet: ReplicaSetObject }): Row {
  const { source, entry, replicaSet } = options;
  const facts = extractReplicaSetFacts(replicaSet);
  const mark = readRevisionMark(replicaSet.metadata);
  const namespace = replicaSet.metadata.namespace ?? "";
  const owner = controllerOf(replicaSet.metadata);
  return {
    uid: facts.uid,
    cluster: source.cluster,
    namespace,
    name: storableName(facts.name),
    rollout_id: ownerRolloutId({ cluster: source.cluster, namespace, owner }),
    pod_hash: mark.podHash ?? null,
    revision: mark.revision ?? null,
    revisions: toStorableJson(mark.revisions),
    images: toStorableJson(facts.images),
    replicas: facts.replicas,
    ready: facts.ready,
    available: facts.available,
    desired: facts.desired,
    owner_kind: owner?.kind ?? null,
    owner_uid: owner?.uid ?? null,
    resource_version: entry.resourceVersion,
    created_at: storableTime(facts.createdAt) ?? entry.receivedAt.toISOString(),
    ...presenceOf(entry),
  };
}

/** Lists the ReplicaSets, including new ones, whose facts for releases will differ from those stored now. */
async function listChangedFacts(tx: PoolClient, rows: ReadonlyMap<string, Row>): Promise<string[]> {
  const stored = await tx.query<{ uid: string; pod_hash: string | null; revisions: unknown; images: unknown }>(
    "SELECT uid, pod_hash, revisions, images FROM replica_set WHERE uid = ANY($1::text[])",
    [[...rows.keys()]],
  );
  const factsOf = (facts: unknown[]): string => JSON.stringify(facts);
  const before = new Map(stored.rows.map((row) => [row.uid, factsOf([row.pod_hash, row.revisions, row.images])]));
  return [...rows].flatMap(([uid, { pod_hash: podHash, revisions, images }]) =>
    before.get(uid) === factsOf([podHash, JSON.parse(revisions), JSON.parse(images)]) ? [] : uid,
  );
}

type RolloutRow = {
  id: string;
  cluster: string;
  namespace: string;
  kind: string;
  name: string;
  object: unknown;
  images: unknown;
  weight_actual: number | null;
};

/** Recomputes the images and the actual weight of rollouts, which depend on their ReplicaSets. */
async function refreshViews(tx: PoolClient, rolloutIds: readonly string[]): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  const { rows } = await tx.query<RolloutRow>(
    `SELECT id, cluster, namespace, kind, name, object, images, weight_actual FROM rollout
      WHERE id = ANY($1::uuid[]) AND presence = 'live' ORDER BY id FOR UPDATE`,
    [[...new Set(rolloutIds)]],
  );
  const replicaSets = await loadReplicaSets(
    tx,
    rows.map((row) => row.id),
  );
  const changes: ChangeRow[] = [];
  for (const row of rows) {
    const parsed = providerOfKind(row.kind).parse(row.object);
    if (!parsed.ok) continue;
    const view = parsed.value.summarize(replicaSets.get(row.id) ?? []);
    const actual = view.weight?.actual ?? null;
    if (actual === row.weight_actual && JSON.stringify(view.images) === JSON.stringify(row.images)) continue;
    await tx.query(
      "UPDATE rollout SET images = $2::jsonb, weight_actual = $3, updated_at = clock_timestamp() WHERE id = $1",
      [row.id, toStorableJson(view.images), actual],
    );
    const { cluster, namespace, kind, name } = row;
    const ref = `${cluster}/${namespace}/${kind}/${name}`;
    changes.push({ kind: "rollout", ref, op: "upsert", cluster, namespace, name });
  }
  return changes;
}
