import type { Pool, PoolClient } from "pg";
import type { KindWriter, ObjectEntry, PoisonEntry } from "./batch-types.ts";
import { writeChanges } from "./change-rows.ts";
import { inTransaction } from "./in-transaction.ts";
import { assertLease, type Lease } from "./lease.ts";
import { quarantineEntries, releaseFromQuarantine } from "./quarantine.ts";
import { type SourceUpdate, updateSource } from "./source-row.ts";
import type { SourceKey } from "./watched-resources.ts";

export type QueueItem =
  | { type: "object"; entry: ObjectEntry }
  | { type: "gone"; uids: readonly string[]; presence: string; at: Date }
  /** Holds for everything that stands before it in the queue. */
  | { type: "mark"; update: SourceUpdate };

export type BatchContext = {
  pool: Pool;
  source: SourceKey;
  lease: Lease;
  writer: KindWriter;
  /** Refs of this source that lie in quarantine. */
  quarantined: Set<string>;
  now(): number;
  onPoison(poison: PoisonEntry): void;
};

/**
 * Stores items in order, in one transaction together with the checkpoint they reach. Where the database refuses the
 * data the batch is halved until the bad row is found; that goes to quarantine and the rest is stored.
 */
export async function storeBatch(context: BatchContext, items: readonly QueueItem[]): Promise<void> {
  try {
    await storeWhole(context, items);
  } catch (error) {
    context.writer.reset();
    if (!isDataError(error)) throw error;
    const objects = items.flatMap((item, index) => (item.type === "object" ? [index] : []));
    const middle = objects[Math.floor(objects.length / 2)];
    if (middle === undefined) throw error;
    if (objects.length === 1) await storePoison({ context, items, reason: (error as Error).message });
    else {
      await storeBatch(context, items.slice(0, middle));
      await storeBatch(context, items.slice(middle));
    }
  }
}

async function storeWhole(context: BatchContext, items: readonly QueueItem[]): Promise<void> {
  const { pool, source, lease, quarantined } = context;
  const done = await inTransaction(pool, async (tx) => {
    await assertLease(tx, lease);
    const poison: PoisonEntry[] = [];
    const committed: (() => void)[] = [];
    for (const run of groupRuns(items)) {
      if (run.type === "gone") await writeChanges(tx, await context.writer.markGone(tx, run));
      else {
        const result = await context.writer.write(tx, run.entries);
        await writeChanges(tx, result.changes);
        poison.push(...result.poison);
        committed.push(result.committed);
      }
    }
    const bad = new Set(poison.map(({ entry }) => entry.uid));
    const healed = items.flatMap((item) =>
      item.type === "object" && quarantined.has(item.entry.uid) && !bad.has(item.entry.uid) ? [item.entry.uid] : [],
    );
    await quarantineEntries(tx, { sourceId: source.id, poison });
    if (healed.length > 0) await releaseFromQuarantine(tx, { sourceId: source.id, refs: healed });
    await writeMarks({ tx, context, items });
    return { poison, committed, healed };
  });
  for (const commit of done.committed) commit();
  for (const uid of done.healed) quarantined.delete(uid);
  for (const each of done.poison) {
    quarantined.add(each.entry.uid);
    context.onPoison(each);
  }
}

/** `items` hold exactly one object: the one that the database refuses. */
async function storePoison(options: {
  context: BatchContext;
  items: readonly QueueItem[];
  reason: string;
}): Promise<void> {
  const { context, items, reason } = options;
  const poison = items.flatMap((item) => (item.type === "object" ? [{ entry: item.entry, reason }] : []));
  await inTransaction(context.pool, async (tx) => {
    await assertLease(tx, context.lease);
    await quarantineEntries(tx, { sourceId: context.source.id, poison });
    for (const item of items) if (item.type === "gone") await writeChanges(tx, await context.writer.markGone(tx, item));
    await writeMarks({ tx, context, items });
  });
  for (const each of poison) {
    context.quarantined.add(each.entry.uid);
    context.onPoison(each);
  }
}

async function writeMarks(options: {
  tx: PoolClient;
  context: BatchContext;
  items: readonly QueueItem[];
}): Promise<void> {
  const { tx, context, items } = options;
  const updates = items.flatMap((item) => (item.type === "mark" ? [item.update] : []));
  if (updates.length === 0) return;
  const update: SourceUpdate = Object.assign({}, ...updates);
  await updateSource(tx, { source: context.source, update, now: context.now() });
}

type Run = { type: "objects"; entries: ObjectEntry[] } | Extract<QueueItem, { type: "gone" }>;

/** Neighbouring objects are written together; what is gone in between keeps its place. */
function groupRuns(items: readonly QueueItem[]): Run[] {
  const runs: Run[] = [];
  for (const item of items) {
    const last = runs.at(-1);
    if (item.type === "gone") runs.push(item);
    else if (item.type === "object") {
      if (last?.type === "objects") last.entries.push(item.entry);
      else runs.push({ type: "objects", entries: [item.entry] });
    }
  }
  return runs;
}

/**
 * The rows themselves are at fault, so trying again is no use: classes 21 (cardinality), 22 (data), 23 (constraints) and
 * 54 (limits, such as a name too long for an index), or an object, or what is stored of it, that our own code chokes on.
 */
export function isDataError(error: unknown): boolean {
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) return true;
  if (!(error instanceof Error)) return false;
  if (error.name === "ZodError") return true;
  return "code" in error && typeof error.code === "string" && /^(21|22|23|54)...$/.test(error.code);
}
