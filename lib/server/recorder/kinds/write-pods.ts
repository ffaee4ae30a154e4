import type { PoolClient } from "pg";
import { type PodFacts, parsePod } from "#lib/domain/kube/pod-object.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { type Columns, insertReturning, isNews, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName, storableText } from "#lib/server/recorder/store/text-fields.ts";
import { lockJoin } from "#lib/server/recorder/store/view-lock.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { createProjection, listLiveUids, loadRolloutChanges, presenceOf, readEntries } from "./kind-rows.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  owner_kind: string | null;
  owner_uid: string | null;
  pod_hash: string | null;
  phase: string;
  reason: string | null;
  message: string;
  ready: boolean;
  containers: number;
  ready_containers: number;
  restarts: number;
  node: string | null;
  resource_version: string;
  presence: string;
  created_at: string;
  started_at: string | null;
  gone_at: string | null;
  updated_at: string;
};

const columns: Columns<Row> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  name: "text",
  owner_kind: "text",
  owner_uid: "text",
  pod_hash: "text",
  phase: "text",
  reason: "text",
  message: "text",
  ready: "bool",
  containers: "int4",
  ready_containers: "int4",
  restarts: "int4",
  node: "text",
  resource_version: "text",
  presence: "text",
  created_at: "timestamptz",
  started_at: "timestamptz",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

/**
 * Writes pods of the controller's ReplicaSets. They refer to their ReplicaSet, so it does not matter which is seen
 * first.
 */
export function createPodWriter(source: SourceKey): KindWriter {
  const projection = createProjection(parsePod);

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    await lockJoin(tx, "pod-owner", source.cluster);
    const { sights, poison } = readEntries(entries, projection);
    const written = await insertReturning<{ owner_uid: string | null }, Row>(tx, {
      table: "pod",
      columns,
      rows: [...sights.values()].map(({ entry, value }) => toRow({ source, entry, pod: value })),
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid", "created_at"])} WHERE ${isNews("pod")}`,
      returning: "owner_uid",
    });
    return { changes: await changesOf(tx, written), poison, committed: () => {} };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    const { rows } = await tx.query<{ owner_uid: string | null }>(
      `UPDATE pod SET presence = $2, gone_at = $3, updated_at = $3 WHERE uid = ANY($1::text[]) AND presence = 'live'
       RETURNING owner_uid`,
      [gone.uids, gone.presence, gone.at],
    );
    return changesOf(tx, rows);
  }

  return {
    prepare: projection.prepare,
    write,
    markGone,
    listLive: (tx) => listLiveUids(tx, "pod", source),
    reset: () => {},
  };
}

async function changesOf(tx: PoolClient, pods: readonly { owner_uid: string | null }[]): Promise<ChangeRow[]> {
  const owners = [...new Set(pods.flatMap((pod) => pod.owner_uid ?? []))];
  if (owners.length === 0) return [];
  const { rows } = await tx.query<{ rollout_id: string }>(
    "SELECT DISTINCT rollout_id FROM replica_set WHERE uid = ANY($1::text[]) AND rollout_id IS NOT NULL",
    [owners],
  );
  return loadRolloutChanges(tx, { kind: "rollout-pods", rolloutIds: rows.map((row) => row.rollout_id) });
}

function toRow({ source, entry, pod }: { source: SourceKey; entry: ObjectEntry; pod: PodFacts }): Row {
  return {
    uid: entry.uid,
    cluster: source.cluster,
    namespace: pod.namespace ?? "",
    name: storableName(pod.name),
    owner_kind: pod.ownerKind ?? null,
    owner_uid: pod.ownerUid ?? null,
    pod_hash: pod.podHash ?? null,
    phase: storableName(pod.phase),
    reason: pod.reason === undefined ? null : storableName(pod.reason),
    message: storableText(pod.message),
    ready: pod.ready,
    containers: pod.containers,
    ready_containers: pod.readyContainers,
    restarts: pod.restarts,
    node: pod.node === undefined ? null : storableName(pod.node),
    resource_version: entry.resourceVersion,
    created_at: storableTime(pod.creationTimestamp) ?? entry.receivedAt.toISOString(),
    started_at: storableTime(pod.startedAt),
    ...presenceOf(entry),
  };
}
