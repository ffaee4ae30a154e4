import type { Pool, PoolClient } from "pg";
import type { SourceKey } from "#lib/server/clusters/sources/watched-resources.ts";
import { isMissingRowError } from "#lib/server/platform/db/database-errors.ts";
import { inBatch } from "#lib/server/platform/db/in-transaction.ts";
import { startStages } from "#lib/server/platform/telemetry/tracing.ts";
import { announceTrace } from "#lib/server/process/announced-traces.ts";
import { hasBrand } from "#lib/util/has-brand.ts";
import type { Gone, KindWriter, ObjectEntry, PoisonEntry } from "./batch-types.ts";
import { writeChanges } from "./change-rows.ts";
import { isDataError } from "./data-errors.ts";
import { assertLease, type Lease } from "./lease.ts";
import { quarantineEntries, releaseFromQuarantine } from "./quarantine.ts";
import { isQuiet, type SourceUpdate, updateSource, writeQuietUpdate } from "./source-row.ts";

export type QueueItem =
  | { type: "object"; entry: ObjectEntry }
  | ({ type: "gone" } & Gone)
  /** Valid for everything before it in the queue. */
  | { type: "mark"; update: SourceUpdate };

export type BatchContext = {
  pool: Pool;
  source: SourceKey;
  lease: Lease;
  writer: KindWriter;
  /** Refs of this source that are in quarantine. */
  quarantined: Set<string>;
  now(): number;
  onPoison(poison: PoisonEntry): void;
  /** Called when the difference of clocks is left out, because the database refuses it. */
  onRefusedClock?(error: Error): void;
};

/**
 * Stores items in order, each part in one transaction together with the checkpoint it reaches. If the database refuses
 * a part's data, the part is halved until the bad row is found. That row is quarantined; the rest is stored.
 */
export async function storeBatch(context: BatchContext, items: readonly QueueItem[]): Promise<void> {
  for (const part of cutBeforeGone(items)) await storePart(context, part);
}

/**
 * Starts a new part at a disappearance that follows objects of the same batch. The writer takes an object into memory
 * once it is committed. Only then may it drop the gone object, and compare a later version of the object with the one
 * before.
 */
function cutBeforeGone(items: readonly QueueItem[]): QueueItem[][] {
  const parts: QueueItem[][] = [];
  let hasObject = true;
  for (const item of items) {
    if (parts.length === 0 || (item.type === "gone" && hasObject)) {
      parts.push([]);
      hasObject = false;
    }
    parts.at(-1)?.push(item);
    hasObject ||= item.type === "object";
  }
  return parts;
}

async function storePart(context: BatchContext, items: readonly QueueItem[], isAgain = false): Promise<void> {
  try {
    await storeWhole(context, items);
  } catch (error) {
    context.writer.reset();
    if (!isDataError(error)) throw error;
    // The writer's memory may name rows that a fail-over lost. Now it is empty.
    if (isMissingRowError(error) && !isAgain) return storePart(context, items, true);
    const marks = items.filter(({ type }) => type === "mark");
    if (marks.length === items.length) return storeRefusedMarks(context, { marks, error: error as Error });
    if (marks.length > 0) {
      // A mark may be at fault: no object goes to quarantine for it.
      await storePart(
        context,
        items.filter(({ type }) => type !== "mark"),
      );
      return storePart(context, marks);
    }
    const objects = items.flatMap((item, index) => (item.type === "object" ? [index] : []));
    const middle = objects[Math.floor(objects.length / 2)];
    if (middle === undefined) throw error;
    if (objects.length === 1) await storePoison({ context, items, reason: (error as Error).message });
    else {
      await storePart(context, items.slice(0, middle));
      await storePart(context, items.slice(middle));
    }
  }
}

/** The database refuses the state of the source itself: it must be opened again from what is stored. */
class RefusedMarksError extends Error {
  readonly brand = "refused-marks-error";
  override name = "RefusedMarksError";
}

export function isRefusedMarksError(error: unknown): boolean {
  return hasBrand(error, "refused-marks-error");
}

/**
 * Stores marks that the database refused once, without the difference of clocks: an API server may give any. Throws
 * `RefusedMarksError` if it still refuses them.
 */
async function storeRefusedMarks(
  context: BatchContext,
  { marks, error }: { marks: readonly QueueItem[]; error: Error },
): Promise<void> {
  const { clockSkewMs, ...update } = joinMarks(marks) ?? {};
  if (clockSkewMs === undefined) throw new RefusedMarksError(error.message, { cause: error });
  context.onRefusedClock?.(error);
  await storePart(context, [{ type: "mark", update }]);
}

/** Stores a whole part. Disappearances come before all objects in it. */
async function storeWhole(context: BatchContext, items: readonly QueueItem[]): Promise<void> {
  const { pool, source, lease, quarantined, writer } = context;
  const quiet = findQuietUpdate(items);
  if (quiet !== undefined) return writeQuietUpdate(pool, { source, lease, update: quiet, now: context.now() });
  const entries = items.flatMap((item) => (item.type === "object" ? [item.entry] : []));
  const stages = startStages();
  stages.next("begin");
  const fence = (tx: PoolClient) => assertLease(tx, lease);
  const work = async (tx: PoolClient) => {
    stages.next("rows");
    const gone = await markAllGone(tx, context, items);
    const result = entries.length === 0 ? undefined : await writer.write(tx, entries);
    if (result !== undefined) await writeChanges(tx, result.changes);
    if (result !== undefined && result.changes.length > 0) await announceTrace(tx);
    const poison = result?.poison ?? [];
    const last = new Map(entries.map((entry) => [entry.uid, entry]));
    const refused = new Set(poison.map(({ entry }) => entry));
    const kept = new Set([...quarantined, ...poison.map(({ entry }) => entry.uid)]);
    // An object is as bad as its last version in the batch.
    const healed = [...last].flatMap(([uid, entry]) => (kept.has(uid) && !refused.has(entry) ? [uid] : []));
    const deleted = [...refused].filter((entry) => entry.op === "deleted" && last.get(entry.uid) === entry);
    await quarantineEntries(tx, { sourceId: source.id, poison });
    if (healed.length > 0) await releaseFromQuarantine(tx, { sourceId: source.id, refs: healed });
    await writeMarks({ tx, context, items });
    stages.next("answers");
    return { gone, poison, healed, deleted, committed: result?.committed };
  };
  const done = await inBatch(pool, { fence, work, onAnswered: () => stages.next("commit") }).finally(stages.end);
  done.committed?.();
  for (const uid of done.gone) quarantined.delete(uid);
  noteQuarantined(context, done.poison);
  for (const uid of done.healed) quarantined.delete(uid);
  await storeDeletions(context, done.deleted);
}

/** Marks what is gone, and releases it from quarantine: nothing depends on its state any more. Returns the released. */
async function markAllGone(
  tx: PoolClient,
  { source, writer, quarantined }: BatchContext,
  items: readonly QueueItem[],
): Promise<string[]> {
  const released: string[] = [];
  for (const item of items) {
    if (item.type !== "gone") continue;
    await writeChanges(tx, await writer.markGone(tx, item));
    released.push(...item.uids.filter((uid) => quarantined.has(uid)));
  }
  if (released.length > 0) await releaseFromQuarantine(tx, { sourceId: source.id, refs: released });
  return released;
}

/**
 * Stores that objects were deleted whose last state was refused. Of a kind whose end may be missed, it was. A part of
 * its own: the writer has taken the versions before into memory.
 */
async function storeDeletions(context: BatchContext, entries: readonly ObjectEntry[]): Promise<void> {
  const presence = context.source.vanished === "unobserved" ? "unobserved" : "deleted";
  for (const { uid, receivedAt: at } of entries)
    await storePart(context, [{ type: "gone", uids: [uid], presence, at }]);
}

function noteQuarantined({ quarantined, onPoison }: BatchContext, poison: readonly PoisonEntry[]): void {
  for (const each of poison) {
    quarantined.add(each.entry.uid);
    onPoison(each);
  }
}

/** Stores the rest and quarantines the object that the database refuses. `items` contain exactly one object, no mark. */
async function storePoison(options: {
  context: BatchContext;
  items: readonly QueueItem[];
  reason: string;
}): Promise<void> {
  const { context, items, reason } = options;
  const poison = items.flatMap((item) => (item.type === "object" ? [{ entry: item.entry, reason }] : []));
  const work = async (tx: PoolClient) => {
    const gone = await markAllGone(tx, context, items);
    await quarantineEntries(tx, { sourceId: context.source.id, poison });
    return gone;
  };
  const gone = await inBatch(context.pool, { fence: (tx) => assertLease(tx, context.lease), work });
  for (const uid of gone) context.quarantined.delete(uid);
  noteQuarantined(context, poison);
  await storeDeletions(
    context,
    poison.flatMap(({ entry }) => (entry.op === "deleted" ? [entry] : [])),
  );
}

async function writeMarks(options: {
  tx: PoolClient;
  context: BatchContext;
  items: readonly QueueItem[];
}): Promise<void> {
  const { tx, context, items } = options;
  const update = joinMarks(items);
  if (update !== undefined) await updateSource(tx, { source: context.source, update, now: context.now() });
}

function joinMarks(items: readonly QueueItem[]): SourceUpdate | undefined {
  const updates = items.flatMap((item) => (item.type === "mark" ? [item.update] : []));
  return updates.length === 0 ? undefined : Object.assign({}, ...updates);
}

/** Returns what a part without objects writes, unless readers must be told of it. */
function findQuietUpdate(items: readonly QueueItem[]): SourceUpdate | undefined {
  if (items.some(({ type }) => type !== "mark")) return undefined;
  const update = joinMarks(items);
  return update !== undefined && isQuiet(update) ? update : undefined;
}
