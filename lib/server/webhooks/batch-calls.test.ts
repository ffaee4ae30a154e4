import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { batchCalls } from "./batch-calls.ts";

const soon = () => performance.now() + 10_000;

/** Work that ends when it is told to. */
function heldWork() {
  const batches: { items: readonly number[]; end(results?: readonly string[]): void; fail(): void }[] = [];
  const work = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      batches.push({
        items,
        end: (results = items.map(String)) => resolve(results),
        fail: () => reject(new Error("down")),
      });
    });
  return { batches, work };
}

describe("batchCalls", () => {
  it("works through what came in one turn together, and never begins before it was asked for", async () => {
    const { batches, work } = heldWork();
    const ask = batchCalls({ work, maxBatches: 1 });
    const first = [ask(1, soon()), ask(2, soon())];
    await turn();
    const second = [ask(3, soon()), ask(4, soon())];
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[1, 2]]);
    batches[0]?.end();
    expect(await Promise.all(first)).toEqual(["1", "2"]);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([
      [1, 2],
      [3, 4],
    ]);
    batches[1]?.end();
    expect(await Promise.all(second)).toEqual(["3", "4"]);
  });

  it("fails whoever was in a batch that failed, or that is short of a result, and goes on", async () => {
    const { batches, work } = heldWork();
    const ask = batchCalls({ work, maxBatches: 1, maxItems: 2 });
    const asked = Promise.allSettled([1, 2, 3, 4, 5].map((item) => ask(item, soon())));
    await turn();
    batches[0]?.fail();
    await turn();
    batches[1]?.end(["3"]);
    await turn();
    batches[2]?.end();
    expect((await asked).map(({ status }) => status)).toEqual([
      ...["rejected", "rejected", "fulfilled", "rejected", "fulfilled"],
    ]);
  });

  it("begins nothing for a caller whose deadline has passed, nor for one too many", async () => {
    const { batches, work } = heldWork();
    const ask = batchCalls({ work, maxWaiting: 2 });
    const asked = Promise.allSettled([ask(1, performance.now() - 1), ask(2, soon()), ask(3, soon())]);
    await turn();
    expect(batches.map(({ items }) => items)).toEqual([[2]]);
    batches[0]?.end();
    expect((await asked).map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
  });
});
