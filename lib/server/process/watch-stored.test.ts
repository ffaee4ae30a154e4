import { afterEach, expect, it, vi } from "vitest";
import { watchStored } from "./watch-stored.ts";

afterEach(() => {
  vi.useRealTimers();
});

it("finds within ten seconds what no change told of", async () => {
  vi.useFakeTimers();
  let stored = "old";
  const watched = watchStored({
    changes: { subscribe: () => () => {} },
    log: { warn: () => {} },
    kind: "freeze",
    initial: "none",
    read: async () => stored,
  });
  await vi.advanceTimersByTimeAsync(0);
  expect(watched.current()).toBe("old");
  stored = "new";
  await vi.advanceTimersByTimeAsync(10_000);
  expect(watched.current()).toBe("new");
  watched.close();
  stored = "newer";
  await vi.advanceTimersByTimeAsync(60_000);
  expect(watched.current()).toBe("new");
});
