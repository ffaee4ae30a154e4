import type { PoolClient } from "pg";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { largestInline } from "#lib/server/platform/evaluation/evaluation-pool.ts";
import type { PoisonEntry } from "./batch-types.ts";
import { storableObject, storableText } from "./text-fields.ts";

const longestRaw = 100_000;

/** Keeps aside objects that could not be stored, with the reason; one row per object, the newest. */
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
  await prismaOn(tx).quarantine.createMany({ data: { sourceId, ref, reason, raw } });
}

/**
 * Returns the object redacted, like everything else that is stored; if a thread redacted a part, that part. An object
 * that must not be read, or is too large to be redacted here, is not kept.
 */
function rawOf({ object, size = 0, redaction, refusal }: PoisonEntry["entry"]): string {
  if (refusal !== undefined || (redaction === undefined && size > largestInline)) return "";
  try {
    return (redaction === undefined ? storableObject(object) : toStorableJson(redaction.value)).slice(0, longestRaw);
  } catch {
    return "";
  }
}

/** Removes an object from quarantine once a later version could be stored. */
export async function releaseFromQuarantine(
  tx: PoolClient,
  { sourceId, refs }: { sourceId: string; refs: readonly string[] },
): Promise<void> {
  await prismaOn(tx).quarantine.deleteMany({ where: { sourceId, ref: { in: [...refs] } } });
}

export async function listQuarantined(tx: PoolClient, sourceId: string): Promise<Set<string>> {
  const kept = await prismaOn(tx).quarantine.findMany({ where: { sourceId }, select: { ref: true } });
  return new Set(kept.map(({ ref }) => ref));
}
