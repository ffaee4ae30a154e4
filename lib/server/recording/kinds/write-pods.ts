import type { PoolClient } from "pg";
import { parsePod } from "#lib/domain/kube/pod-object.ts";
import { storableTime } from "#lib/domain/storable/escape-text.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { isNews, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { KindWriter } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { storableName, storableText } from "#lib/server/recording/store/text-fields.ts";
import { listLiveUids, loadRolloutChanges, objectColumns, toObjectRow, updateGone } from "./kind-rows.ts";
import { createRowWriter } from "./object-writer.ts";

const insert = prepareInsert({
  table: "pod",
  columns: {
    ...objectColumns,
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
    created_at: "timestamptz",
    started_at: "timestamptz",
  },
  conflict: { key: ["uid"], keep: ["created_at"], when: isNews("pod") },
  returning: ["owner_uid"],
});

/**
 * Writes pods of the controller's ReplicaSets. They refer to their ReplicaSet, so it does not matter which is seen
 * first.
 */
export function createPodWriter(source: SourceKey): KindWriter {
  return createRowWriter(source, {
    joins: ["pod-owner"],
    parse: parsePod,
    keepsOnlyValue: true,
    toRow: ({ entry, value: pod }) => ({
      ...toObjectRow({ source, entry }),
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
      created_at: storableTime(pod.creationTimestamp) ?? entry.receivedAt.toISOString(),
      started_at: storableTime(pod.startedAt),
    }),
    store: async (tx, rows) => changesOf(tx, await insert(tx, rows)),
    markGone: async (tx, gone) => changesOf(tx, await readRows(tx, updateGone("pod", gone).returning("owner_uid"))),
    listLive: (tx) => listLiveUids(tx, "pod", source),
  });
}

async function changesOf(tx: PoolClient, pods: readonly { owner_uid: string | null }[]): Promise<ChangeRow[]> {
  const owners = [...new Set(pods.flatMap((pod) => pod.owner_uid ?? []))];
  if (owners.length === 0) return [];
  const owned = await readRows(
    tx,
    tables
      .selectFrom("replica_set")
      .select("rollout_id")
      .distinct()
      .where(({ ref }) => isOneOf(ref("uid"), owners))
      .where("rollout_id", "is not", null)
      .$narrowType<{ rollout_id: string }>(),
  );
  return loadRolloutChanges(tx, { kind: "rollout-pods", rolloutIds: owned.map((row) => row.rollout_id) });
}
