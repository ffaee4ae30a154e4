import { describe, expect, it } from "vitest";
import { isRecord, jsonShape } from "./json.ts";

describe("isRecord", () => {
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
});

describe("jsonShape", () => {
  it.each<[string, number, number]>([
    ["1", 0, 1],
    ["{}", 1, 2],
    ['{"a":[{"b":[]}]}', 4, 5],
    ['["[[[[", "\\"[[", "\\\\", []]', 2, 6],
    ["[".repeat(60_000), 60_000, 60_001],
    ["]]]]", 0, 1],
  ])("%.20s", (text, depth, values) => {
    expect(jsonShape(text)).toEqual({ depth, values });
  });
});
