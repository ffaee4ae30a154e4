import { describe, expect, it } from "vitest";
import { jsonShape } from "./json-shape.ts";

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
