import { describe, expect, it } from "vitest";
import { applyMerge, diffMerge, dropNulls, isSame } from "./diff-merge.ts";

describe("diffMerge", () => {
  it.each([
    { name: "nothing", current: { a: 1 }, wanted: { a: 1 }, patch: {} },
    { name: "another order of members", current: { a: { x: 1, y: 2 } }, wanted: { a: { y: 2, x: 1 } }, patch: {} },
    { name: "a new member", current: {}, wanted: { a: 1 }, patch: { a: 1 } },
    { name: "a removed member", current: { a: 1, b: 2 }, wanted: { b: 2 }, patch: { a: null } },
    { name: "a nested one", current: { a: { x: 1, y: 2 } }, wanted: { a: { x: 1 } }, patch: { a: { y: null } } },
    { name: "a list, whole", current: { a: [1, 2] }, wanted: { a: [1] }, patch: { a: [1] } },
    { name: "an empty object", current: {}, wanted: { a: {} }, patch: { a: {} } },
    { name: "zero and false", current: { a: 1, b: true }, wanted: { a: 0, b: false }, patch: { a: 0, b: false } },
    { name: "an empty text", current: { a: "x" }, wanted: { a: "" }, patch: { a: "" } },
    { name: "a list that becomes an object", current: { a: [1] }, wanted: { a: { x: 1 } }, patch: { a: { x: 1 } } },
    { name: "null where nothing was", current: {}, wanted: { a: null }, patch: {} },
    { name: "null in a list's item", current: {}, wanted: { a: [{ x: null, y: 1 }] }, patch: { a: [{ y: 1 }] } },
  ])("says $name", ({ current, wanted, patch }) => {
    expect(diffMerge(current, wanted)).toEqual(patch);
  });

  it("makes what is wanted, of anything", () => {
    const random = createRandom(7);
    for (let round = 0; round < 2000; round += 1) {
      const [current, wanted] = [makeFields(random, 3), makeFields(random, 3)];
      const patch = diffMerge(current, wanted);
      const before = structuredClone(current);
      const made = applyMerge(JSON.parse(JSON.stringify(current)), JSON.parse(JSON.stringify(patch)));
      expect(isSame(made, dropNulls(wanted)), JSON.stringify({ current, wanted, patch })).toBe(true);
      expect(current).toEqual(before);
      expect(diffMerge(dropNulls(wanted) as Record<string, unknown>, wanted)).toEqual({});
    }
  });

  it("takes a member that is called __proto__ for what it is", () => {
    const wanted = JSON.parse('{"__proto__":{"x":1}}') as Record<string, unknown>;
    const made = applyMerge({}, diffMerge({}, wanted));
    expect(JSON.stringify(made)).toBe('{"__proto__":{"x":1}}');
    expect(({} as { x?: unknown }).x).toBeUndefined();
  });
});

describe("isSame", () => {
  it.each([
    { name: "another order of members", one: { a: 1, b: [2] }, other: { b: [2], a: 1 }, expected: true },
    { name: "a member that is undefined", one: { a: 1, b: undefined }, other: { a: 1 }, expected: true },
    { name: "a member that is null", one: { a: 1, b: null }, other: { a: 1 }, expected: false },
    { name: "another order of items", one: [1, 2], other: [2, 1], expected: false },
    { name: "an item more", one: [1], other: [1, 2], expected: false },
    { name: "a list and an object", one: [], other: {}, expected: false },
    { name: "zero and an empty text", one: 0, other: "", expected: false },
    { name: "undefined and null", one: undefined, other: null, expected: false },
  ])("answers $expected for $name", ({ one, other, expected }) => {
    expect(isSame(one, other)).toBe(expected);
    expect(isSame(other, one)).toBe(expected);
  });
});

/** Implements Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function makeFields(random: () => number, depth: number): Record<string, unknown> {
  const keys = ["a", "b", "c", "d"].filter(() => random() < 0.6);
  return Object.fromEntries(keys.map((key) => [key, makeValue(random, depth)]));
}

function makeValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth === 0 ? 4 : 6));
  if (kind === 0) return Math.floor(random() * 3);
  if (kind === 1) return random() < 0.5 ? "" : "text";
  if (kind === 2) return random() < 0.5;
  if (kind === 3) return random() < 0.3 ? null : 1;
  if (kind === 4) return Array.from({ length: Math.floor(random() * 3) }, () => makeValue(random, depth - 1));
  return makeFields(random, depth - 1);
}
