import { expect, it } from "vitest";
import { putNewest } from "./put-newest.ts";

const start = () =>
  new Map([
    ["a", 1],
    ["b", 2],
  ]);

it.each([
  { name: "adds below the limit", key: "c", maxEntries: 3, expected: ["a", "b", "c"] },
  { name: "drops the oldest at the limit", key: "c", maxEntries: 2, expected: ["b", "c"] },
  { name: "makes a known key the newest and drops none", key: "a", maxEntries: 2, expected: ["b", "a"] },
  { name: "drops all that are too many", key: "c", maxEntries: 1, expected: ["c"] },
])("$name", ({ key, maxEntries, expected }) => {
  const map = start();
  putNewest(map, { key, value: 9, maxEntries });
  expect([...map.keys()]).toEqual(expected);
  expect(map.get(key)).toBe(9);
});
