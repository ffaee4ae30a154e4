import { setImmediate as rest, setTimeout as sleep } from "node:timers/promises";
import { startSlices } from "#lib/server/platform/db/slices.ts";
import { inSpan } from "#lib/server/platform/telemetry/tracing.ts";
import type { Gone, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import type { BufferBudget } from "#lib/server/recording/store/buffer-budget.ts";
import { isLeaseLostError } from "#lib/server/recording/store/lease.ts";
import type { SourceUpdate } from "#lib/server/recording/store/source-row.ts";
import {
  type BatchContext,
  isRefusedMarksError,
  type QueueItem,
  storeBatch,
} from "#lib/server/recording/store/store-batch.ts";
import { traceBatch } from "#lib/server/recording/store/trace-change.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";

export type SourceWriter = {
  /** Resolves when there is room: a full buffer stops the watch, and thereby the server. Nothing is dropped for it. */
  pushObject(entry: ObjectEntry): Promise<void>;
  pushGone(gone: Gone): void;
  /** Recorded once everything pushed before it is stored. A mark that is not urgent waits for other items. */
  mark(update: SourceUpdate, options?: { isUrgent?: boolean }): void;
  /** Resolves when everything pushed so far is stored; rejects if it never will be. */
  drain(): Promise<void>;
  /** Stores the buffered items, for at most `withinMs`, and ends. */
  close(withinMs: number): Promise<void>;
  readonly depth: number;
};

export type SourceWriterOptions = {
  /** Limit of the whole buffer: objects, and their size as sent by the cluster. */
  bound?: number;
  boundBytes?: number;
  /** Shared with the buffers of the other sources. */
  budget?: BufferBudget | undefined;
  /** How long a mark that is not urgent waits for other items. */
  idleMs?: number;
  /** Called when a batch could not be stored and is retried. */
  onRetry(error: Error): void;
  /** Called once when nothing can be written any more. */
  onEnd(error: Error): void;
  /** Called whenever the buffer grows or shrinks. */
  onDepth?(depth: { objects: number; bytes: number }): void;
  /** Called each time a full buffer begins to stop the watch. */
  onFull?(): void;
  /** Called at the end with the number of objects that were received and not stored. */
  onDropped?(objects: number): void;
};

const mebibyte = 2 ** 20;
/** Limits of one batch. */
const maxObjects = 500;
const maxBatchBytes = 8 * mebibyte;

/**
 * Stores the items of a source in batches, in order, one at a time. An idle writer begins at once; items that arrive
 * during a batch form the next one. So a single change does not wait, and a burst still shares its transactions.
 */
export function createSourceWriter(context: BatchContext, options: SourceWriterOptions): SourceWriter {
  const { bound = 5000, boundBytes = 16 * mebibyte, idleMs = 2000 } = options;
  const queue: QueueItem[] = [];
  let objects = 0;
  let bytes = 0;
  let pushed = 0;
  let stored = 0;
  let isRunning = false;
  let ended: Error | undefined;
  let timer: { cancel(): void; due: number } | undefined;
  const waiters = new Set<() => void>();
  /** How long preparing has taken, of which a list causes much at once. */
  let preparedMs = 0;
  const slices = startSlices({ now: () => preparedMs, wait: () => rest() });
  const { budget } = options;
  const leaveBudget = budget?.onRoom(wake);

  function schedule(afterMs: number): void {
    if (ended !== undefined || isRunning) return;
    const due = context.now() + afterMs;
    if (timer !== undefined && timer.due <= due) return;
    timer?.cancel();
    timer = { due, cancel: runAfter(afterMs, () => void run()) };
  }

  async function run(): Promise<void> {
    timer?.cancel();
    timer = undefined;
    if (isRunning || ended !== undefined) return;
    isRunning = true;
    try {
      while (queue.length > 0 && ended === undefined) await storeNext();
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isRunning = false;
    }
    if (queue.length > 0) schedule(0);
  }

  async function storeNext(): Promise<void> {
    const items = takeBatch();
    const entries = items.flatMap((item) => (item.type === "object" ? [item.entry] : []));
    await traceBatch(entries, () => storeItems(items, entries));
    stored += items.length;
    const size = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
    objects -= entries.length;
    bytes -= size;
    // The remaining bytes were given back together at the end.
    if (ended === undefined) budget?.give(size);
    reportDepth();
    wake();
  }

  /** Retries until it succeeds: the items stay in the buffer, and no later item is stored before them. */
  async function storeItems(items: readonly QueueItem[], entries: readonly ObjectEntry[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        await inSpan("complete", {}, async () => context.writer.complete?.(entries));
        return await storeBatch(context, items);
      } catch (error) {
        if (isLeaseLostError(error) || isRefusedMarksError(error) || ended !== undefined) throw error;
        options.onRetry(error instanceof Error ? error : new Error(String(error)));
        await sleep(computeBackoff({ firstMs: 100, longestMs: 2000, doublings: attempt, random: Math.random() }));
        if (ended !== undefined) throw error;
      }
    }
  }

  function reportDepth(): void {
    if (ended === undefined) options.onDepth?.({ objects, bytes });
  }

  /** Prepares the entry. A failure here recurs when it is the entry's turn, and the entry is quarantined then. */
  function prepare(entry: ObjectEntry): void {
    const begun = performance.now();
    entry.trace?.stages.next("prepare");
    try {
      context.writer.prepare?.(entry);
    } catch {}
    entry.trace?.stages.next("queue");
    preparedMs += performance.now() - begun;
  }

  /** Returns whether the buffer is full. One object is always let in: other sources' load must not stop this one. */
  function isFull(): boolean {
    return objects >= bound || bytes >= boundBytes || (objects > 0 && budget?.isFull === true);
  }

  function takeBatch(): QueueItem[] {
    let count = 0;
    let size = 0;
    let length = 0;
    for (const item of queue) {
      if (item.type === "object") {
        size += sizeOf(item.entry);
        if (++count > maxObjects || (count > 1 && size > maxBatchBytes)) break;
      }
      length++;
    }
    return queue.splice(0, length);
  }

  function push(item: QueueItem, afterMs: number): void {
    queue.push(item);
    pushed++;
    schedule(afterMs);
  }

  function wake(): void {
    for (const waiter of [...waiters]) waiter();
  }

  function end(error: Error): void {
    if (ended !== undefined) return;
    ended = error;
    timer?.cancel();
    leaveBudget?.();
    budget?.give(bytes);
    if (objects > 0) options.onDropped?.(objects);
    options.onDepth?.({ objects: 0, bytes: 0 });
    wake();
    options.onEnd(error);
  }

  /** Waits until `isReady`, or throws if the writer ends first. */
  async function until(isReady: () => boolean): Promise<void> {
    while (!isReady()) {
      if (ended !== undefined) throw ended;
      await new Promise<void>((resolve) => {
        const waiter = (): void => {
          waiters.delete(waiter);
          resolve();
        };
        waiters.add(waiter);
      });
    }
  }

  async function drain(): Promise<void> {
    const target = pushed;
    schedule(0);
    await until(() => stored >= target);
  }

  return {
    async pushObject(entry) {
      if (isFull()) {
        options.onFull?.();
        await until(() => !isFull());
      }
      if (ended !== undefined) throw ended;
      prepare(entry);
      objects++;
      bytes += sizeOf(entry);
      budget?.take(sizeOf(entry));
      reportDepth();
      push({ type: "object", entry }, 0);
      if (slices.isOver) await slices.rest();
    },
    pushGone: (gone) => push({ type: "gone", ...gone }, 0),
    mark: (update, { isUrgent = false } = {}) => {
      const last = queue.at(-1);
      if (last?.type === "mark") last.update = { ...last.update, ...update };
      else push({ type: "mark", update }, isUrgent ? 0 : idleMs);
      if (isUrgent) schedule(0);
    },
    drain,
    async close(withinMs) {
      const limit = new AbortController();
      await Promise.race([
        drain().catch(() => {}),
        sleep(withinMs, undefined, { signal: limit.signal }).catch(() => {}),
      ]);
      limit.abort();
      end(new Error("the writer is closed"));
    },
    get depth() {
      return objects;
    },
  };
}

/**
 * Runs the callback after the delay. Without one, after all lines that have already arrived: they belong in the same
 * batch.
 */
function runAfter(ms: number, callback: () => void): () => void {
  if (ms > 0) {
    const handle = setTimeout(callback, ms);
    return () => clearTimeout(handle);
  }
  const handle = setImmediate(callback);
  return () => clearImmediate(handle);
}

/** Returns the object's size, or a usual size if it is unknown. */
function sizeOf(entry: ObjectEntry): number {
  return entry.size ?? 4096;
}
