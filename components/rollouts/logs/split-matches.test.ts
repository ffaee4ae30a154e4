import { expect, it } from "vitest";
import { splitMatches } from "./split-matches.ts";

const show = (text: string, wanted: string) =>
  splitMatches(text, wanted)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join("");

it.each([
  ["level=error Error", "error", "level=[error] [Error]"],
  ["aaa", "aa", "[aa]a"],
  ["nothing here", "x", "nothing here"],
  ["", "x", ""],
  ["a.c", ".", "a[.]c"],
  ["text", "", "text"],
  ["\u0130stanbul error", "error", "\u0130stanbul error"],
])("%j with %j", (text, wanted, shown) => {
  expect(show(text, wanted)).toBe(shown);
});
