import type { UpdateQueryBuilder, UpdateResult } from "kysely";
import type { PoolClient } from "pg";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { OwnerReference } from "#lib/domain/kube/kube-object.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import type { Tables } from "#lib/server/platform/db/generated/tables.ts";
import type { TableWith } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { Gone, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";

/** Columns that the tables of most kinds have; see `toObjectRow`. */
export const objectColumns = {
  uid: "text",
  cluster: "text",
  resource_version: "text",
  presence: "text",
  gone_at: "timestamptz",
  updated_at: "timestamptz",
} as const;

/** Returns the object's presence in this version. */
export function presenceOf({ op }: Pick<ObjectEntry, "op">): "deleted" | "live" {
  return op === "deleted" ? "deleted" : "live";
}

export function toObjectRow({ source, entry }: { source: SourceKey; entry: ObjectEntry }) {
  const at = entry.receivedAt.toISOString();
  const presence = presenceOf(entry);
  return {
    uid: entry.uid,
    cluster: source.cluster,
    resource_version: entry.resourceVersion,
    presence,
    gone_at: presence === "deleted" ? at : null,
    updated_at: at,
  };
}

/** Loads the change log's lines for rollouts when a related object changed. */
export async function loadRolloutChanges(
  tx: PoolClient,
  { kind, rolloutIds }: { kind: ChangeRow["kind"]; rolloutIds: readonly string[] },
): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  const rollouts = await readRows(
    tx,
    tables
      .selectFrom("rollout")
      .select(["cluster", "namespace", "kind", "name"])
      .where(({ ref }) => isOneOf(ref("id"), [...new Set(rolloutIds)], "uuid")),
  );
  return rollouts.map(({ cluster, namespace, kind: rolloutKind, name }) => {
    return {
      kind,
      ref: `${cluster}/${namespace}/${rolloutKind}/${name}`,
      op: "upsert",
      cluster,
      namespace,
      object_kind: rolloutKind,
      name,
    };
  });
}

type PresenceTable = TableWith<"uid" | "cluster" | "namespace" | "presence" | "gone_at" | "updated_at">;

/** Builds the update that marks a table's rows gone; what it returns is up to the kind. */
export function updateGone<T extends PresenceTable>(
  table: T,
  { uids, presence, at }: Gone,
): UpdateQueryBuilder<Tables, T, T, UpdateResult> {
  const update = tables
    .updateTable<PresenceTable>(table)
    .set({ presence, gone_at: at, updated_at: at })
    .where(({ ref }) => isOneOf(ref("uid"), uids))
    .where("presence", "=", "live");
  // The builder is that of `table`: it was typed as any of them only to name the columns that they share.
  return update as unknown as UpdateQueryBuilder<Tables, T, T, UpdateResult>;
}

/** Tables whose rows come from several sources: the list of one kind does not cover the others. */
const ofSeveralKinds: readonly PresenceTable[] = ["rollout", "analysis_template", "analysis_run", "deployment"];

/** Lists the uids of a table's rows in the source's scope that the cluster still had when last seen. */
export async function listLiveUids(tx: PoolClient, table: PresenceTable, source: SourceKey): Promise<string[]> {
  const { cluster, namespace, kind } = source;
  const rows = await readRows(
    tx,
    tables
      .selectFrom(table)
      .select("uid")
      .where("cluster", "=", cluster)
      .where("presence", "=", "live")
      .$if(namespace !== "", (query) => query.where("namespace", "=", namespace))
      .$if(ofSeveralKinds.includes(table), (query) =>
        query.where(({ eb, ref }) => eb(ref("kind").$castTo<string>(), "=", kind)),
      ),
  );
  return rows.map(({ uid }) => uid);
}

/** Computes the id of the rollout that controls the object; null if another kind controls it, or nothing does. */
export function ownerRolloutId({
  cluster,
  namespace,
  owner,
}: {
  cluster: string;
  namespace: string;
  /** The object's controller. */
  owner: OwnerReference | undefined;
}): string | null {
  if (owner === undefined || !isRolloutKind(owner.kind)) return null;
  const { kind, name, uid } = owner;
  return rolloutIdOf({ cluster, namespace, kind, name, uid });
}
