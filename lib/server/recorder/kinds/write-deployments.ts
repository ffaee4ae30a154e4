import type { PoolClient } from "pg";
import { type DeploymentFacts, parseDeployment } from "#lib/domain/kube/deployment-object.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { storableTime } from "#lib/domain/storable/storable-time.ts";
import type { KindResult, KindWriter, ObjectEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { type Columns, insertReturning, isNews, overwrite } from "#lib/server/recorder/store/insert-rows.ts";
import { storableName } from "#lib/server/recorder/store/text-fields.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";
import { createProjection, listLiveUids, loadRolloutChanges, presenceOf, readEntries } from "./kind-rows.ts";

type Row = {
  uid: string;
  cluster: string;
  namespace: string;
  name: string;
  images: string;
  generation: number | null;
  desired: number;
  replicas: number;
  ready: number;
  available: number;
  updated: number;
  resource_version: string;
  presence: string;
  created_at: string;
  gone_at: string | null;
  updated_at: string;
};

const columns: Columns<Row> = {
  uid: "text",
  cluster: "text",
  namespace: "text",
  name: "text",
  images: "jsonb",
  generation: "int8",
  desired: "int4",
  replicas: "int4",
  ready: "int4",
  available: "int4",
  updated: "int4",
  resource_version: "text",
  presence: "text",
  created_at: "timestamptz",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
};

/** Writes a few numbers of each Deployment, so that a rollout whose workloadRef names it can show them. */
export function createDeploymentWriter(source: SourceKey): KindWriter {
  const projection = createProjection(parseDeployment);

  async function write(tx: PoolClient, entries: readonly ObjectEntry[]): Promise<KindResult> {
    const { sights, poison } = readEntries(entries, projection);
    const written = await insertReturning<{ uid: string }, Row>(tx, {
      table: "deployment",
      columns,
      rows: [...sights.values()].map(({ entry, value }) => toRow({ source, entry, deployment: value })),
      onConflict: `ON CONFLICT (uid) DO UPDATE SET ${overwrite(columns, ["uid", "created_at"])}
        WHERE ${isNews("deployment")}`,
      returning: "uid",
    });
    return { changes: await changesOf(tx, written), poison, committed: () => {} };
  }

  async function markGone(tx: PoolClient, gone: { uids: readonly string[]; presence: string; at: Date }) {
    const { rows } = await tx.query<{ uid: string }>(
      `UPDATE deployment SET presence = $2, gone_at = $3, updated_at = $3
        WHERE uid = ANY($1::text[]) AND presence = 'live' RETURNING uid`,
      [gone.uids, gone.presence, gone.at],
    );
    return changesOf(tx, rows);
  }

  return {
    prepare: projection.prepare,
    write,
    markGone,
    listLive: (tx) => listLiveUids(tx, "deployment", source),
    reset: () => {},
  };
}

/** Returns changes only for the rollouts that refer to them. */
async function changesOf(tx: PoolClient, deployments: readonly { uid: string }[]): Promise<ChangeRow[]> {
  if (deployments.length === 0) return [];
  const { rows } = await tx.query<{ id: string }>(
    `SELECT rollout.id FROM deployment JOIN rollout ON rollout.cluster = deployment.cluster
        AND rollout.namespace = deployment.namespace AND rollout.workload_ref = deployment.name
      WHERE deployment.uid = ANY($1::text[]) AND rollout.presence = 'live'`,
    [deployments.map((deployment) => deployment.uid)],
  );
  return loadRolloutChanges(tx, { kind: "rollout", rolloutIds: rows.map((row) => row.id) });
}

function toRow(options: { source: SourceKey; entry: ObjectEntry; deployment: DeploymentFacts }): Row {
  const { source, entry, deployment } = options;
  return {
    uid: entry.uid,
    cluster: source.cluster,
    namespace: deployment.namespace ?? "",
    name: storableName(deployment.name),
    images: toStorableJson(deployment.images),
    generation: deployment.generation ?? null,
    desired: deployment.desired,
    replicas: deployment.replicas,
    ready: deployment.ready,
    available: deployment.available,
    updated: deployment.updated,
    resource_version: entry.resourceVersion,
    created_at: storableTime(deployment.creationTimestamp) ?? entry.receivedAt.toISOString(),
    ...presenceOf(entry),
  };
}
