import type { PoolClient } from "pg";
import type { PoisonEntry } from "./batch-types.ts";
import { storableObject, storableText } from "./text-fields.ts";

const longestRaw = 100_000;

/** Keeps aside what could not be stored, with the reason; one row per object, the newest. */
export async function quarantineEntries(
  tx: PoolClient,
  { sourceId, poison }: { sourceId: string; poison: readonly PoisonEntry[] },
): Promise<void> {
  for (const { entry, reason } of poison)
    await keepAside(tx, { sourceId, ref: entry.uid, reason: storableText(reason).slice(0, 1000), raw: rawOf(entry) });
}

export async function keepAside(
  tx: PoolClient,
  { sourceId, ref, reason, raw }: { sourceId: string; ref: string; reason: string; raw: string },
): Promise<void> {
  await releaseFromQuarantine(tx, { sourceId, refs: [ref] });
  await tx.query("INSERT INTO quarantine (source_id, ref, reason, raw) VALUES ($1, $2, $3, $4)", [
    ...[sourceId, ref, reason, raw],
  ]);
}

/** Returns the object redacted, like everything else that is stored. An object that cannot be traversed is not kept. */
function rawOf(entry: PoisonEntry["entry"]): string {
  try {
    return storableObject(entry.object).slice(0, longestRaw);
  } catch {
    return "";
  }
}

/** Removes an object from quarantine once a later version of it could be stored. */
export async function releaseFromQuarantine(
  tx: PoolClient,
  { sourceId, refs }: { sourceId: string; refs: readonly string[] },
): Promise<void> {
  await tx.query("DELETE FROM quarantine WHERE source_id = $1 AND ref = ANY($2::text[])", [sourceId, refs]);
}

export async function listQuarantined(tx: PoolClient, sourceId: string): Promise<Set<string>> {
  const { rows } = await tx.query<{ ref: string }>("SELECT DISTINCT ref FROM quarantine WHERE source_id = $1", [
    sourceId,
  ]);
  return new Set(rows.map((row) => row.ref));
}
