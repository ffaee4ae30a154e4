import type { Pool } from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { sourcesOf } from "#lib/server/clusters/sources/watched-resources.ts";
import type { KindWriter, ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { type BufferBudget, createBufferBudget } from "#lib/server/recording/store/buffer-budget.ts";
import { createSourceWriter, type SourceWriter } from "./source-writer.ts";

const [source] = sourcesOf({ name: "test" });
const writers: SourceWriter[] = [];
afterEach(async () => {
  await Promise.all(writers.splice(0).map((writer) => writer.close(0)));
});

/** Creates a database that is silent until `answer` is called. */
function silentDatabase(): { pool: Pool; answer(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const client = {
    query: async () => ({ rows: [], rowCount: 1 }),
    on: () => {},
    off: () => {},
    release: () => {},
  };
  const connect = async () => {
    await promise;
    return client;
  };
  return { pool: { connect } as unknown as Pool, answer: resolve };
}

function startWriter(pool: Pool, budget: BufferBudget): { writer: SourceWriter; stored: string[] } {
  if (source === undefined) throw new Error("nothing is watched");
  const stored: string[] = [];
  const kindWriter: KindWriter = {
    write: async (_tx, entries) => ({
      changes: [],
      poison: [],
      committed: () => stored.push(...entries.map(({ uid }) => uid)),
    }),
    markGone: async () => [],
    listLive: async () => [],
    reset: () => {},
  };
  const lease = { sourceId: source.id, holder: "me", epoch: "1" };
  const context = { pool, source, lease, writer: kindWriter, quarantined: new Set<string>(), now: () => 0 };
  const writer = createSourceWriter({ ...context, onPoison: () => {} }, { budget, onRetry: () => {}, onEnd: () => {} });
  writers.push(writer);
  return { writer, stored };
}

function entryOf(uid: string): ObjectEntry {
  return { op: "upsert", uid, resourceVersion: "1", object: {}, size: 5000, receivedAt: new Date(0) };
}

/** Pushes in order; returns which entries are in the buffer. */
function pushAll(writer: SourceWriter, uids: readonly string[]): { taken: string[]; done: Promise<unknown> } {
  const taken: string[] = [];
  const push = async (): Promise<void> => {
    for (const uid of uids) {
      await writer.pushObject(entryOf(uid));
      taken.push(uid);
    }
  };
  return { taken, done: push().catch(() => {}) };
}

describe("buffers that share a budget", () => {
  it("hold their watches back together, and let each source have one object", async () => {
    const { pool, answer } = silentDatabase();
    const budget = createBufferBudget({ maxBytes: 10_000 });
    const one = startWriter(pool, budget);
    const other = startWriter(pool, budget);
    const first = pushAll(one.writer, ["a", "b", "c"]);
    await expect.poll(() => first.taken).toEqual(["a", "b"]);
    const second = pushAll(other.writer, ["d", "e"]);
    await expect.poll(() => second.taken).toEqual(["d"]);
    expect(first.taken).toEqual(["a", "b"]);
    expect(budget.isFull).toBe(true);
    answer();
    await Promise.all([first.done, second.done]);
    await Promise.all([one.writer.drain(), other.writer.drain()]);
    expect([one.stored, other.stored]).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
    expect(budget.isFull).toBe(false);
  });

  it("a source that ends gives back what it had, once", async () => {
    const { pool, answer } = silentDatabase();
    const budget = createBufferBudget({ maxBytes: 10_000 });
    const one = startWriter(pool, budget);
    const other = startWriter(pool, budget);
    await pushAll(one.writer, ["a", "b"]).done;
    const waiting = pushAll(other.writer, ["c", "d", "e"]);
    await expect.poll(() => waiting.taken).toEqual(["c"]);
    await one.writer.close(0);
    await expect.poll(() => waiting.taken).toEqual(["c", "d"]);
    answer();
    await waiting.done;
    await other.writer.drain();
    // Bytes in flight of the ended writer have been given back by now, and must not count twice.
    budget.take(10_000);
    expect(budget.isFull).toBe(true);
  });
});
