import { describe, expect, it } from "vitest";
import type { ObjectEntry } from "#lib/server/recording/store/batch-types.ts";
import { createRunMemory, type RunState } from "./run-state.ts";

function state(resourceVersion: string, overrides: Partial<RunState> = {}): RunState {
  return {
    rolloutId: "rollout",
    resourceVersion,
    presence: "live",
    isCompleted: true,
    isTerminated: false,
    metrics: new Map(),
    isLoaded: false,
    ...overrides,
  };
}

function entry(uid: string, resourceVersion: string, op: ObjectEntry["op"] = "upsert"): ObjectEntry {
  return { uid, op, resourceVersion, object: {}, receivedAt: new Date(0) };
}

describe("the memory of runs", () => {
  it("keeps the state of running runs and of those that ended last", () => {
    const memory = createRunMemory({ maxEnded: 2 });
    memory.keep("running", state("1", { isCompleted: false }));
    for (const uid of ["a", "b", "c"]) memory.keep(uid, state("5"));
    expect(["running", "a", "b", "c"].map((uid) => memory.find(uid) !== undefined)).toEqual([true, false, true, true]);
  });

  it.each([
    { name: "the same version", seen: entry("a", "5"), isKnown: true },
    { name: "an older version", seen: entry("a", "4"), isKnown: true },
    { name: "a newer version", seen: entry("a", "6"), isKnown: false },
    { name: "its deletion", seen: entry("a", "5", "deleted"), isKnown: false },
    { name: "a run whose state is there", seen: entry("b", "5"), isKnown: false },
    { name: "a run that was never seen", seen: entry("x", "5"), isKnown: false },
  ])("of a run that ended long ago it knows $name: $isKnown", ({ seen, isKnown }) => {
    const memory = createRunMemory({ maxEnded: 1 });
    memory.keep("a", state("5"));
    memory.keep("b", state("5"));
    expect(memory.isKnown(seen)).toBe(isKnown);
  });

  it("forgets what is gone, and all when told", () => {
    const memory = createRunMemory({ maxEnded: 1 });
    for (const uid of ["a", "b"]) memory.keep(uid, state("5"));
    memory.keep("a", state("6", { presence: "deleted" }));
    expect(memory.isKnown(entry("a", "5"))).toBe(false);
    expect(memory.find("a")).toBeUndefined();
    memory.clear();
    expect(memory.find("b")).toBeUndefined();
  });
});
