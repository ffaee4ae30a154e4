import { expect, it } from "vitest";
import { mergeStreams } from "./merge-streams.ts";

async function* say(items: readonly string[], gate: Promise<void> = Promise.resolve()): AsyncGenerator<string> {
  for (const item of items) {
    await gate;
    yield item;
  }
}

async function collect(stream: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

it("yields everything, each stream in its own order, and none is starved by another", async () => {
  const chatty = Array.from({ length: 50 }, (_, index) => `a${index}`);
  const all = await collect(mergeStreams([say(chatty), say(["b0", "b1", "b2"])]));
  expect(all.filter((item) => item.startsWith("a"))).toEqual(chatty);
  expect(all.filter((item) => item.startsWith("b"))).toEqual(["b0", "b1", "b2"]);
  expect(all.indexOf("b2")).toBeLessThan(10);
});

it("does not wait for a stream that is silent", async () => {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const merged = mergeStreams([say(["late"], gate), say(["now", "then"])]);
  expect((await merged.next()).value).toBe("now");
  expect((await merged.next()).value).toBe("then");
  open();
  expect(await collect(merged)).toEqual(["late"]);
});

it("asks each stream for one item ahead at most", async () => {
  let made = 0;
  async function* count(): AsyncGenerator<number> {
    while (true) yield made++;
  }
  const merged = mergeStreams([count()]);
  await merged.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect(made).toBeLessThanOrEqual(2);
});

it("throws what a stream throws, and ends without streams", async () => {
  async function* fail(): AsyncGenerator<string> {
    yield "one";
    throw new Error("cut");
  }
  await expect(collect(mergeStreams([fail()]))).rejects.toThrow("cut");
  expect(await collect(mergeStreams<string>([]))).toEqual([]);
});
