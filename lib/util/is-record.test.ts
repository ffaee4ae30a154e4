import { expect, it } from "vitest";
import { isRecord } from "./is-record.ts";

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ["text", false],
  [0, false],
])("%j: %s", (value, isOne) => {
  expect(isRecord(value)).toBe(isOne);
});
