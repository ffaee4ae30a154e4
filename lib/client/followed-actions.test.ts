import { describe, expect, it, vi } from "vitest";
import { createFollowedActions, type FollowedAction } from "#lib/client/followed-actions.ts";

const abort: FollowedAction = { id: "1", action: "abort", label: "Abort", name: "checkout", auditSeq: 7 };

function createShelf(): Pick<Storage, "getItem" | "setItem"> {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

describe("followed actions", () => {
  it("are there again after a reload, until they are removed", () => {
    const shelf = createShelf();
    createFollowedActions(() => shelf).add(abort);
    const reloaded = createFollowedActions(() => shelf);
    expect(reloaded.snapshot()).toEqual([abort]);
    reloaded.remove("1");
    expect(createFollowedActions(() => shelf).snapshot()).toEqual([]);
  });

  it("tells its listeners of a change, and keeps one list until then", () => {
    const shelf = createShelf();
    const followed = createFollowedActions(() => shelf);
    const listener = vi.fn();
    const stop = followed.subscribe(listener);
    expect(followed.snapshot()).toBe(followed.snapshot());
    followed.add(abort);
    followed.add(abort);
    expect(listener).toHaveBeenCalledTimes(1);
    stop();
    followed.remove("1");
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      "disabled",
      () => {
        throw new Error("disabled");
      },
    ],
    [
      "unreadable",
      () => ({
        getItem: () => "{",
        setItem: () => {
          throw new Error("full");
        },
      }),
    ],
  ])("work without a reload if the storage is %s", (_, shelf) => {
    const followed = createFollowedActions(shelf);
    followed.add(abort);
    expect(followed.snapshot()).toEqual([abort]);
  });
});
