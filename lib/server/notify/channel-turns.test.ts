import { expect, it } from "vitest";
import { createChannelTurns } from "./channel-turns.ts";

type Turn = { name: string; end: () => void; fail: (error: Error) => void };

function setUp(maxAtOnce?: number) {
  const begun: Turn[] = [];
  const turns = createChannelTurns<{ name: string }>({
    ...(maxAtOnce === undefined ? {} : { maxAtOnce }),
    work: ({ name }) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      begun.push({ name, end: resolve, fail: reject });
      return promise;
    },
  });
  const start = (...names: string[]) => turns.start(names.map((name) => ({ name })));
  const names = () => begun.map(({ name }) => name).join("");
  return { begun, turns, start, names };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

it("a channel that hangs has one turn, and the others have theirs", async () => {
  const { begun, start, names } = setUp();
  start("a", "b");
  begun[1]?.end();
  await settled();
  start("a", "b");
  expect(names()).toBe("abb");
  begun[0]?.end();
  await settled();
  start("a", "b");
  expect(names()).toBe("abba");
});

it("starts at most so many at once, and the next one as soon as one ends", async () => {
  const { begun, start, names } = setUp(2);
  start("a", "b", "c", "d");
  expect(names()).toBe("ab");
  begun[0]?.end();
  await settled();
  expect(names()).toBe("abc");
  // `a` waits behind the one that came before it.
  start("a", "b", "c", "d");
  begun[1]?.end();
  begun[2]?.end();
  await settled();
  expect(names()).toBe("abcda");
});

it("forgets a channel that waits and is gone from the config", async () => {
  const { begun, start, names } = setUp(1);
  start("a", "b", "c");
  start("a", "c");
  begun[0]?.end();
  await settled();
  expect(names()).toBe("ac");
});

it("tells once what made a turn fail, and starts the others nevertheless", async () => {
  const { begun, start, names } = setUp();
  start("a");
  begun[0]?.fail(new Error("the database is away"));
  await settled();
  expect(() => start("a", "b")).toThrow("away");
  expect(names()).toBe("aab");
  expect(() => start("a", "b")).not.toThrow();
});

it("settles when nothing is under way, what waited included", async () => {
  const { begun, turns, start, names } = setUp(1);
  start("a", "b");
  let isSettled = false;
  const settling = turns.settle().then(() => {
    isSettled = true;
  });
  begun[0]?.end();
  await settled();
  expect([names(), isSettled]).toEqual(["ab", false]);
  begun[1]?.end();
  await settling;
});
