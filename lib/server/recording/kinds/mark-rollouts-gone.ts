import type { PoolClient } from "pg";
import { endGone } from "#lib/domain/delivery/derive-releases.ts";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { loadOpenReleases } from "#lib/server/recording/history/rollout-state.ts";
import { releaseId, voidDecisions, writeReleases } from "#lib/server/recording/history/write-history.ts";
import type { Gone } from "#lib/server/recording/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recording/store/change-rows.ts";
import { noWait } from "#lib/server/records/rollout-wait.ts";
import { updateGone } from "./kind-rows.ts";

type Place = { namespace: string; name: string };

/**
 * Marks rollouts gone whose deletion no observation shows. Ends their open releases, and the decisions about them.
 * Returns the ids of the rollouts.
 */
export async function markRolloutsGone(
  tx: PoolClient,
  { source, gone }: { source: SourceKey; gone: Gone },
): Promise<{ ids: string[]; changes: ChangeRow[] }> {
  const update = updateGone("rollout", gone).where("cluster", "=", source.cluster);
  const rows = await readRows(tx, update.set(noWait).returning(["id", "namespace", "name"]));
  const places = new Map(rows.map(({ id, namespace, name }) => [id, { namespace, name }]));
  const ids = [...places.keys()];
  const open = await loadOpenReleases(tx, ids);
  const end = { presence: gone.presence, at: gone.at.toISOString() };
  const ended = open.map(({ rolloutId, value }) => ({ rolloutId, value: endGone(value, end) }));
  await writeReleases(tx, ended, new Date().toISOString());
  await voidDecisions(tx, { rolloutIds: ids });
  const changes = ended.flatMap(({ rolloutId, value }) => {
    const place = places.get(rolloutId);
    return place === undefined ? [] : releaseChange({ source, place, ref: releaseId(rolloutId, value) });
  });
  return { ids, changes: [...rows.map((place) => rolloutChange({ source, place, op: "delete" })), ...changes] };
}

export function rolloutChange(options: { source: SourceKey; place: Place; op: ChangeRow["op"] }): ChangeRow {
  const { source, place, op } = options;
  const { namespace, name } = place;
  const ref = [source.cluster, namespace, source.kind, name].join("/");
  return { kind: "rollout", ref, op, cluster: source.cluster, namespace, object_kind: source.kind, name };
}

export function releaseChange({ source, place, ref }: { source: SourceKey; place: Place; ref: string }): ChangeRow {
  const { namespace, name } = place;
  return { kind: "release", ref, op: "upsert", cluster: source.cluster, namespace, object_kind: source.kind, name };
}
