import { describe, expect, it } from "vitest";
import { endSentence, formatCount, formatList } from "#lib/util/words.ts";

describe("formatList", () => {
  it.each([
    [[], ""],
    [["a"], "a"],
    [["a", "b"], "a and b"],
    [["a", "b", "c"], "a, b and c"],
  ])("%j is %s", (items, text) => {
    expect(formatList(items)).toBe(text);
  });
});

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1,000"],
    [50_000, "50,000"],
    [1_234_567, "1,234,567"],
  ])("formats %i as %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });
});

describe("endSentence", () => {
  it.each([
    ["It failed", "It failed."],
    ["Wrap either by parentheses.", "Wrap either by parentheses."],
  ])("%s", (text, sentence) => {
    expect(endSentence(text)).toBe(sentence);
  });
});
