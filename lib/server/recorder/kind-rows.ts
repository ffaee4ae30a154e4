import type { PoolClient } from "pg";
import { controllerOf, type ObjectMeta, type Parsed } from "#lib/domain/argo/kube-object.ts";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { ObjectEntry, PoisonEntry } from "./batch-types.ts";
import type { SourceKey } from "./watched-resources.ts";

/** A row per object, of several sights of one the last; what cannot be parsed goes to the poison with its reason. */
export function collectRows<Value, Row>(
  entries: readonly ObjectEntry[],
  parse: (object: unknown) => Parsed<Value>,
  toRow: (entry: ObjectEntry, value: Value) => Row,
): { rows: Map<string, Row>; poison: PoisonEntry[] } {
  const rows = new Map<string, Row>();
  const poison: PoisonEntry[] = [];
  for (const entry of entries) {
    const parsed = parse(entry.object);
    if (parsed.ok) rows.set(entry.uid, toRow(entry, parsed.value));
    else poison.push({ entry, reason: parsed.reason });
  }
  return { rows, poison };
}

/** The uids of a table's rows in the source's scope that the cluster still had when it was last seen. */
export async function listLiveUids(
  tx: PoolClient,
  table: "analysis_run" | "experiment" | "replica_set",
  source: SourceKey,
): Promise<string[]> {
  const { rows } = await tx.query<{ uid: string }>(
    `SELECT uid FROM ${table} WHERE cluster = $1 AND ($2 = '' OR namespace = $2) AND presence = 'live'`,
    [source.cluster, source.namespace],
  );
  return rows.map((row) => row.uid);
}

/** The id of the Rollout that controls the object; null where another kind does, or none. */
export function ownerRolloutId(cluster: string, metadata: ObjectMeta): string | null {
  const owner = controllerOf(metadata);
  if (owner?.kind !== "Rollout") return null;
  const namespace = metadata.namespace ?? "";
  return rolloutIdOf({ cluster, namespace, kind: "Rollout", name: owner.name, uid: owner.uid });
}
