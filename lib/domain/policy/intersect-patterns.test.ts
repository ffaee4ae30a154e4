import { describe, expect, it } from "vitest";
import { intersectPatterns } from "./intersect-patterns.ts";
import { matchesAny } from "./match-glob.ts";

const letters = ["a", "b", "-"];
const namesOf = (length: number): string[] =>
  length === 0 ? [""] : namesOf(length - 1).flatMap((name) => letters.map((letter) => name + letter));
const names = [0, 1, 2, 3, 4, 5].flatMap(namesOf);

describe("intersectPatterns", () => {
  it.each<[string[], string[], string[]]>([
    [["*"], ["team-*"], ["team-*"]],
    [["team-*"], ["*"], ["team-*"]],
    [["team-*"], ["team-a"], ["team-a"]],
    [["team-a"], ["team-b"], []],
    [["team-?"], ["team-*"], ["team-?"]],
    [["a*"], ["*b"], ["a*b"]],
    [["team-*", "shop"], ["*"], ["team-*", "shop"]],
    [[], ["*"], []],
    [["*"], [], []],
  ])("%j and %j: %j", (left, right, both) => {
    expect(intersectPatterns(left, right)).toEqual(both);
  });

  it("matches what both match, and nothing else", () => {
    const patterns = [
      "",
      "*",
      "a",
      "?",
      "a*",
      "*a",
      "a?",
      "?a*",
      "*a*",
      "a*b",
      "*-*",
      "a-*",
      "**b",
      "ab*",
      "*ba",
      "??*",
    ];
    for (const left of patterns)
      for (const right of patterns) {
        const both = intersectPatterns([left, "b-b"], [right]);
        for (const name of names)
          expect(matchesAny(both, name), `${left} and ${right}: ${both.join(" ")} on "${name}"`).toBe(
            matchesAny([left, "b-b"], name) && matchesAny([right], name),
          );
      }
  });
});
