import { describe, expect, it, vi } from "vitest";
import { createTimeFormChoice, createTimeZoneChoice } from "#lib/client/time-display.ts";

function createShelf(zone?: string): Storage {
  const kept = new Map(zone === undefined ? [] : [["gatehouse.time-zone", zone]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

describe("the choice of a time zone", () => {
  it("is there again after a reload, until the browser's own is chosen", () => {
    const shelf = createShelf();
    createTimeZoneChoice(() => shelf).set("Asia/Tokyo");
    const reloaded = createTimeZoneChoice(() => shelf);
    expect(reloaded.get()).toBe("Asia/Tokyo");
    reloaded.set(undefined);
    expect(createTimeZoneChoice(() => shelf).get()).toBeUndefined();
  });

  it("tells its listeners", () => {
    const shelf = createShelf();
    const choice = createTimeZoneChoice(() => shelf);
    const listener = vi.fn();
    const stop = choice.subscribe(listener);
    choice.set("UTC");
    stop();
    choice.set(undefined);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it("ignores a zone that this browser does not know", () => {
    const shelf = createShelf("Mars/Olympus");
    expect(createTimeZoneChoice(() => shelf).get()).toBeUndefined();
  });

  it("lasts until a reload if the storage is disabled", () => {
    const choice = createTimeZoneChoice(() => {
      throw new Error("disabled");
    });
    expect(choice.get()).toBeUndefined();
    choice.set("UTC");
    expect(choice.get()).toBe("UTC");
  });
});

describe("createTimeFormChoice", () => {
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
});
