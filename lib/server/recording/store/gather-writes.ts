import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import { isDataError } from "./data-errors.ts";

type Gathering<Item> = {
  /** How long one waits for others. */
  gatherMs: number;
  /** Writes them in one statement. Resolves with those that were written. */
  writeAll: (pool: Pool, items: readonly Item[]) => Promise<ReadonlySet<Item>>;
  /** Writes one that was left out, or each by itself if the data of one is refused. Rejects with the reason. */
  writeOne: (pool: Pool, item: Item) => Promise<void>;
};

/** Returns a function that writes one item. Items that are written at about the same time share a statement. */
export function gatherWrites<Item>({ gatherMs, writeAll, writeOne }: Gathering<Item>) {
  const gathering = new WeakMap<Pool, { item: Item; done: PromiseWithResolvers<void> }[]>();

  async function writeGathered(pool: Pool): Promise<void> {
    await sleep(gatherMs);
    const waiting = gathering.get(pool) ?? [];
    gathering.delete(pool);
    try {
      const items = waiting.map(({ item }) => item);
      const written = await writeAll(pool, items);
      for (const { item, done } of waiting)
        if (written.has(item)) done.resolve();
        else writeOne(pool, item).then(done.resolve, done.reject);
    } catch (error) {
      for (const { item, done } of waiting)
        if (waiting.length > 1 && isDataError(error)) writeOne(pool, item).then(done.resolve, done.reject);
        else done.reject(error);
    }
  }

  return (pool: Pool, item: Item): Promise<void> => {
    const waiting = { item, done: Promise.withResolvers<void>() };
    const others = gathering.get(pool);
    if (others === undefined) {
      gathering.set(pool, [waiting]);
      void writeGathered(pool);
    } else others.push(waiting);
    return waiting.done.promise;
  };
}
