import { expect, it } from "vitest";
import { endSentence } from "./end-sentence.ts";

it.each([
  ["It failed", "It failed."],
  ["Wrap either by parentheses.", "Wrap either by parentheses."],
])("%s", (text, sentence) => {
  expect(endSentence(text)).toBe(sentence);
});
