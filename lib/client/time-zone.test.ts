import { describe, expect, it, vi } from "vitest";
import { createTimeZoneChoice } from "#lib/client/time-zone.ts";

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
