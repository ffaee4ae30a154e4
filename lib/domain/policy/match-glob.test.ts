import { describe, expect, it } from "vitest";
import { coversGlob, matchesAny, matchGlob, overlapsGlob } from "./match-glob.ts";

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

describe("two patterns", () => {
  const letters = ["a", "b", "*", "?"];
  const words = (alphabet: readonly string[], length: number): string[] =>
    length === 0
      ? [""]
      : words(alphabet, length - 1).flatMap((word) => [word, ...alphabet.map((letter) => word + letter)]);
  const patterns = [...new Set(words(letters, 3))];
  const names = [...new Set(words(["a", "b", "c"], 4))];

  it("overlap exactly if a name matches both", () => {
    for (const left of patterns)
      for (const right of patterns)
        expect([left, right, overlapsGlob(left, right)]).toEqual([
          left,
          right,
          names.some((name) => matchGlob(left, name) && matchGlob(right, name)),
        ]);
  });

  it("are said to cover each other only if each name of one matches the other", () => {
    for (const outer of patterns)
      for (const inner of patterns)
        if (coversGlob(outer, inner))
          for (const name of names.filter((each) => matchGlob(inner, each))) expect(matchGlob(outer, name)).toBe(true);
  });

  it.each([
    ["*", "pay*"],
    ["pay*", "payments"],
    ["pay*", "pay-*-eu"],
    ["p?y", "pay"],
    ["*-*", "a-*"],
  ])("%s covers %s", (outer, inner) => {
    expect(coversGlob(outer, inner)).toBe(true);
  });

  it.each([
    ["pay", "pay*"],
    ["p?y", "p*y"],
    ["pay*", "p*"],
  ])("%s does not cover %s", (outer, inner) => {
    expect(coversGlob(outer, inner)).toBe(false);
  });

  it("takes little time for many stars", () => {
    const many = "*?".repeat(126);
    expect(overlapsGlob("*-payments-*", many)).toBe(true);
    expect(coversGlob("*-payments-*", many)).toBe(false);
  });
});
