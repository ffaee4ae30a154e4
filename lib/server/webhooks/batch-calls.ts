import type { Deadline } from "#lib/server/webhooks/hook-call.ts";

/** Runs one piece of work for several callers at once. Nothing is begun for a caller whose deadline has passed. */
export type Batcher<Item, Result> = (item: Item, deadline: Deadline) => Promise<Result>;

type Waiting<Item, Result> = PromiseWithResolvers<Result> & { item: Item; deadline: Deadline };

/**
 * Collects the items that arrive while a batch is under way, and runs them as the next batch. The work for an item
 * begins after its request, so it reads fresh data. Rejects an item if its batch fails, if its deadline passes before,
 * or if too many wait.
 */
export function batchCalls<Item, Result>({
  work,
  maxBatches = 2,
  maxItems = 500,
  maxWaiting = 5000,
}: {
  /** Returns the results in the order of the items. */
  work: (items: readonly Item[]) => Promise<readonly Result[]>;
  maxBatches?: number;
  maxItems?: number;
  maxWaiting?: number;
}): Batcher<Item, Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;
  let isDue = false;

  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    running += 1;
    try {
      const results = await work(batch.map(({ item }) => item));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const result = results[index];
        if (result === undefined) reject(new Error("a batch returned fewer results than it had items"));
        else resolve(result);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    } finally {
      running -= 1;
      start();
    }
  }

  function start(): void {
    while (running < maxBatches && waiting.length > 0) {
      const batch = takeBatch();
      if (batch.length > 0) void run(batch);
    }
  }

  /** Under a load that cannot be met, work for callers who are gone would keep it from those who wait. */
  function takeBatch(): Waiting<Item, Result>[] {
    const now = performance.now();
    const batch: Waiting<Item, Result>[] = [];
    for (const call of waiting.splice(0, maxItems)) {
      if (call.deadline > now) batch.push(call);
      else call.reject(new Error("the deadline has passed"));
    }
    return batch;
  }

  return (item, deadline) => {
    const call = { ...Promise.withResolvers<Result>(), item, deadline };
    if (waiting.length >= maxWaiting) {
      call.reject(new Error("too many calls wait for the database"));
      return call.promise;
    }
    waiting.push(call);
    // Calls that arrive in the same turn of the event loop share a batch.
    if (!isDue) {
      isDue = true;
      setImmediate(() => {
        isDue = false;
        start();
      });
    }
    return call.promise;
  };
}
