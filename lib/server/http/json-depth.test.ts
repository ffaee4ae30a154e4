import { describe, expect, it } from "vitest";
import { jsonDepth } from "./json-depth.ts";

describe("jsonDepth", () => {
  it.each<[string, number]>([
    ["1", 0],
    ["{}", 1],
    ['{"a":[{"b":[]}]}', 4],
    ['["[[[[", "\\"[[", "\\\\", []]', 2],
    ["[".repeat(60_000), 60_000],
    ["]]]]", 0],
  ])("%.20s", (text, depth) => {
    expect(jsonDepth(text)).toBe(depth);
  });
});
