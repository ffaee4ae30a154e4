import type { PoolClient } from "pg";
import { digestOf } from "#lib/domain/storable/digest-of.ts";
import { toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** A part of an object, which is stored once for all that have it. `content` is JSON. */
export type RecordedPart = { digest: string; content: string };

/** `value`: redacted. Returns null if it is missing. */
export function toPart(value: unknown): RecordedPart | null {
  return value === undefined || value === null ? null : { digest: digestOf(value), content: toStorableJson(value) };
}

const insertParts = prepareInsert({
  table: "recorded_part",
  columns: { digest: "text", content: "jsonb" },
  conflict: { key: ["digest"] },
});

/**
 * Writes the parts that are not stored yet. Nearly all are stored: of those, only the digests are sent, and nothing of
 * those whose digests are known to be stored.
 */
export async function writeParts(
  tx: PoolClient,
  parts: readonly (RecordedPart | null)[],
  known: ReadonlySet<string | undefined> = new Set(),
): Promise<void> {
  const wanted = new Map(
    parts.flatMap((part) => (part === null || known.has(part.digest) ? [] : [[part.digest, part] as const])),
  );
  if (wanted.size === 0) return;
  const query = tables
    .selectFrom("recorded_part")
    .select("digest")
    .where(({ ref }) => isOneOf(ref("digest"), [...wanted.keys()]));
  for (const { digest } of await readRows(tx, query)) wanted.delete(digest);
  await insertParts(tx, [...wanted.values()]);
}
