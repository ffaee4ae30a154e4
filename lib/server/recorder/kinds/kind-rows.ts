import type { PoolClient } from "pg";
import { rolloutIdOf } from "#lib/domain/delivery/rollout-id.ts";
import type { OwnerReference, Parsed } from "#lib/domain/kube/kube-object.ts";
import { isRolloutKind } from "#lib/domain/providers.ts";
import type { ObjectEntry, PoisonEntry } from "#lib/server/recorder/store/batch-types.ts";
import type { ChangeRow } from "#lib/server/recorder/store/change-rows.ts";
import type { SourceKey } from "#lib/server/sources/watched-resources.ts";

/** One sight of an object, parsed. */
export type Sight<Value> = { entry: ObjectEntry; value: Value };

/** Parses every sight; what cannot be parsed is added to the poison with its reason. */
export function parseSights<Value>(
  entries: readonly ObjectEntry[],
  parse: (object: unknown) => Parsed<Value>,
): { sights: Sight<Value>[]; poison: PoisonEntry[] } {
  const sights: Sight<Value>[] = [];
  const poison: PoisonEntry[] = [];
  for (const entry of entries) {
    const parsed = parse(entry.object);
    if (parsed.ok) sights.push({ entry, value: parsed.value });
    else poison.push({ entry, reason: parsed.reason });
  }
  return { sights, poison };
}

/** Reads each object once, on arrival, and keeps only the value it read in the queue. */
export type Projection<Value> = { prepare(entry: ObjectEntry): void; read(entry: ObjectEntry): Parsed<Value> };

/**
 * Creates a parser for kinds that are very numerous in a cluster. Of a readable object, only the value that `parse`
 * returns stays in memory. An unreadable one is kept whole, for the quarantine.
 */
export function createProjection<Value>(parse: (object: unknown) => Parsed<Value>): Projection<Value> {
  const readings = new WeakMap<ObjectEntry, Parsed<Value>>();
  return {
    prepare(entry) {
      const reading = parse(entry.object);
      readings.set(entry, reading);
      if (reading.ok) entry.object = reading.value;
    },
    read: (entry) => readings.get(entry) ?? parse(entry.object),
  };
}

/** Returns the newest sight of each object, read by a projection. */
export function readEntries<Value>(
  entries: readonly ObjectEntry[],
  projection: Pick<Projection<Value>, "read">,
): { sights: Map<string, Sight<Value>>; poison: PoisonEntry[] } {
  const sights = new Map<string, Sight<Value>>();
  const poison: PoisonEntry[] = [];
  for (const entry of entries) {
    const reading = projection.read(entry);
    if (reading.ok) sights.set(entry.uid, { entry, value: reading.value });
    else poison.push({ entry, reason: reading.reason });
  }
  return { sights, poison };
}

/** Returns the presence columns that every object's row has. */
export function presenceOf(entry: ObjectEntry): { presence: string; gone_at: string | null; updated_at: string } {
  const at = entry.receivedAt.toISOString();
  const isGone = entry.op === "deleted";
  return { presence: isGone ? "deleted" : "live", gone_at: isGone ? at : null, updated_at: at };
}

/** Loads the change log's lines for rollouts when a related object changed. */
export async function loadRolloutChanges(
  tx: PoolClient,
  { kind, rolloutIds }: { kind: ChangeRow["kind"]; rolloutIds: readonly string[] },
): Promise<ChangeRow[]> {
  if (rolloutIds.length === 0) return [];
  const { rows } = await tx.query<{ cluster: string; namespace: string; kind: string; name: string }>(
    "SELECT cluster, namespace, kind, name FROM rollout WHERE id = ANY($1::uuid[])",
    [[...new Set(rolloutIds)]],
  );
  return rows.map(({ cluster, namespace, kind: rolloutKind, name }) => {
    return { kind, ref: `${cluster}/${namespace}/${rolloutKind}/${name}`, op: "upsert", cluster, namespace, name };
  });
}

/** Lists the uids of a table's rows in the source's scope that the cluster still had when last seen. */
export async function listLiveUids(
  tx: PoolClient,
  table: "analysis_run" | "experiment" | "replica_set" | "pod" | "deployment",
  source: SourceKey,
): Promise<string[]> {
  const { rows } = await tx.query<{ uid: string }>(
    `SELECT uid FROM ${table} WHERE cluster = $1 AND ($2 = '' OR namespace = $2) AND presence = 'live'`,
    [source.cluster, source.namespace],
  );
  return rows.map((row) => row.uid);
}

/** Computes the id of the rollout that controls the object. Returns null if another kind controls it, or none. */
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
