import { expect, it, vi } from "vitest";
import { createTimeFormChoice } from "#lib/client/time-form.ts";

function createShelf(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

it("begins with how long ago, and is there again after a reload", () => {
  const shelf = createShelf();
  const choice = createTimeFormChoice(() => shelf);
  expect(choice.get()).toBe("ago");
  choice.set("clock");
  expect(createTimeFormChoice(() => shelf).get()).toBe("clock");
  choice.set("ago");
  expect(createTimeFormChoice(() => shelf).get()).toBe("ago");
});

it("tells its listeners", () => {
  const shelf = createShelf();
  const choice = createTimeFormChoice(() => shelf);
  const listener = vi.fn();
  const stop = choice.subscribe(listener);
  choice.set("clock");
  stop();
  choice.set("ago");
  expect(listener).toHaveBeenCalledTimes(1);
});

it("lasts until a reload if the storage is disabled", () => {
  const choice = createTimeFormChoice(() => {
    throw new Error("disabled");
  });
  expect(choice.get()).toBe("ago");
  choice.set("clock");
  expect(choice.get()).toBe("clock");
});
