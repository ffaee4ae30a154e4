import { describe, expect, it } from "vitest";
import { matchesAny, matchGlob } from "./match-glob.ts";

describe("matchGlob", () => {
  it.each([
    ["*", "", true],
    ["*", "payments", true],
    ["payments", "payments", true],
    ["payments", "payments-eu", false],
    ["payments", "my-payments", false],
    ["pay*", "payments", true],
    ["*-eu", "prod-eu", true],
    ["*-eu", "prod-eu-2", false],
    ["prod-*-2", "prod-eu-2", true],
    ["prod-*-2", "prod-2", false],
    ["a*b*c", "a-b-b-c", true],
    ["prod-?", "prod-1", true],
    ["prod-?", "prod-12", false],
    ["prod-?", "prod-", false],
    ["", "", true],
    ["", "x", false],
    ["a.c", "abc", false],
    ["[a]", "a", false],
  ])("%j against %j: %s", (pattern, name, expected) => {
    expect(matchGlob(pattern, name)).toBe(expected);
  });

  it("is not slowed down by many stars", () => {
    expect(matchGlob(`${"a*".repeat(60)}b`, "a".repeat(250))).toBe(false);
  });
});

describe("matchesAny", () => {
  it("matches nothing where there is no pattern", () => {
    expect(matchesAny([], "payments")).toBe(false);
  });
});
