import { describe, expect, it } from "vitest";
import { compareResourceVersions } from "./resource-version.ts";

const cases: [string, string, -1 | 0 | 1 | undefined][] = [
  ["9", "10", -1],
  ["10", "9", 1],
  ["10", "10", 0],
  ["007", "7", 0],
  ["99999999999999999998", "99999999999999999999", -1],
  ["abc", "abc", 0],
  ["abc", "10", undefined],
  ["", "1", undefined],
];

describe("compareResourceVersions", () => {
  it.each(cases)("%s and %s: %s", (one, other, result) => {
    expect(compareResourceVersions(one, other)).toBe(result);
  });
});
