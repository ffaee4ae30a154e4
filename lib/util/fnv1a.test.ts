import { expect, it } from "vitest";
import { fnv1a } from "./fnv1a.ts";

// Of Go's hash/fnv.
it.each([
  ["", 0x811c9dc5],
  ["a", 0xe40c292c],
  ["foobar", 0xbf9cf968],
  ["é", 0x1e9de8c1],
])("hashes %j", (text, hash) => {
  expect(fnv1a(text)).toBe(hash);
});
