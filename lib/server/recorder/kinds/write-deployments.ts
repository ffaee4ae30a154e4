import type { PoolClient } from "pg";
import { parseDeployment } from "#lib/domain/kube/deployment-object.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { isNews, prepareInsert } from "#lib/server/db/prepare-insert.ts";
import { readRows } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { KindWriter } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { listLiveUids, loadRolloutChanges, objectColumns, toObjectRow, updateGone } from "./kind-rows.ts";
import { createRowWriter } from "./sight-writer.ts";

const insert = prepareInsert({
  table: "deployment",
  columns: {
    ...objectColumns,
    namespace: "text",
    name: "text",
    images: "jsonb",
    generation: "int8",
    desired: "int4",
    replicas: "int4",
    ready: "int4",
    available: "int4",
    updated: "int4",
    created_at: "timestamptz",
  },
  conflict: { key: ["uid"], keep: ["created_at"], when: isNews("deployment") },
  returning: ["uid"],
});

/** Writes a few numbers of each Deployment, so that a rollout whose workloadRef names it can show them. */
export function createDeploymentWriter(source: SourceKey): KindWriter {
  return createRowWriter(source, {
    parse: parseDeployment,
    keepsOnlyValue: true,
    toRow: ({ entry, value: deployment }) => ({
      ...toObjectRow({ source, entry }),
      namespace: deployment.namespace ?? "",
      name: storableName(deployment.name),
      images: toStorableJson(deployment.images),
      generation: deployment.generation ?? null,
      desired: deployment.desired,
      replicas: deployment.replicas,
      ready: deployment.ready,
      available: deployment.available,
      updated: deployment.updated,
      created_at: storableTime(deployment.creationTimestamp) ?? entry.receivedAt.toISOString(),
    }),
    store: async (tx, rows) => changesOf(tx, await insert(tx, rows)),
    markGone: async (tx, gone) => changesOf(tx, await readRows(tx, updateGone("deployment", gone).returning("uid"))),
    listLive: (tx) => listLiveUids(tx, "deployment", source),
  });
}

/** Returns changes only for the rollouts that refer to them. */
async function changesOf(tx: PoolClient, deployments: readonly { uid: string }[]): Promise<ChangeRow[]> {
  if (deployments.length === 0) return [];
  const uids = deployments.map(({ uid }) => uid);
  const referring = await readRows(
    tx,
    tables
      .selectFrom("deployment as d")
      .innerJoin("rollout as r", (join) =>
        join
          .onRef("r.cluster", "=", "d.cluster")
          .onRef("r.namespace", "=", "d.namespace")
          .onRef("r.workload_ref", "=", "d.name"),
      )
      .select("r.id")
      .where(({ ref }) => isOneOf(ref("d.uid"), uids))
      .where("r.presence", "=", "live"),
  );
  return loadRolloutChanges(tx, { kind: "rollout", rolloutIds: referring.map(({ id }) => id) });
}
