import { sql } from "kysely";
import type { PoolClient } from "pg";
import { providerOfKind } from "#lib/domain/providers.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { isOneOf } from "#lib/server/db/conditions.ts";
import { readRows, write } from "#lib/server/db/run-query.ts";
import { tables } from "#lib/server/db/tables.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import { loadReplicaSets } from "./replica-set-rows.ts";

const selectRollouts = tables
  .selectFrom("rollout")
  .select(["id", "cluster", "namespace", "kind", "name", "object", "images", "weight_actual"])
  .where("presence", "=", "live")
  .orderBy("id")
  .forUpdate();

/** Recomputes the images and the actual weight of rollouts, which depend on their ReplicaSets. */
export async function refreshViews(tx: PoolClient, rolloutIds: readonly string[]): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  const rollouts = await readRows(
    tx,
    selectRollouts.where(({ ref }) => isOneOf(ref("id"), [...new Set(rolloutIds)], "uuid")),
  );
  const replicaSets = await loadReplicaSets(
    tx,
    rollouts.map(({ id }) => id),
  );
  const changes: ChangeRow[] = [];
  for (const { id, cluster, namespace, kind, name, ...stored } of rollouts) {
    const parsed = providerOfKind(kind).parse(stored.object);
    if (!parsed.ok) continue;
    const view = parsed.value.summarize(replicaSets.get(id) ?? []);
    const actual = view.weight?.actual ?? null;
    if (actual === stored.weight_actual && JSON.stringify(view.images) === JSON.stringify(stored.images)) continue;
    const images = toStorableJson(view.images);
    await write(
      tx,
      tables
        .updateTable("rollout")
        .set({ images: sql`${images}::jsonb`, weight_actual: actual, updated_at: sql`clock_timestamp()` })
        .where("id", "=", id),
    );
    const ref = `${cluster}/${namespace}/${kind}/${name}`;
    changes.push({ kind: "rollout", ref, op: "upsert", cluster, namespace, object_kind: kind, name });
  }
  return changes;
}
