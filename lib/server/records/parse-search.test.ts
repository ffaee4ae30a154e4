import { describe, expect, it } from "vitest";
import { loosen, parseSearch } from "./parse-search.ts";

describe("the terms of a search", () => {
  it("are what stands between spaces, each once, at most eight", () => {
    expect(parseSearch("  checkout\tv5.3.0 checkout ").map(({ text }) => text)).toEqual(["checkout", "v5.3.0"]);
    expect(parseSearch("a b c d e f g h i j")).toHaveLength(8);
    expect(parseSearch("   ")).toEqual([]);
  });

  it("look for the literal text, whatever it means to LIKE", () => {
    expect(parseSearch("50%_\\X")).toMatchObject([{ anywhere: "%50\\%\\_\\\\X%", atStart: "50\\%\\_\\\\x%" }]);
  });

  it("look for words between punctuation, in order, the last of them by its beginning", () => {
    expect(parseSearch("v5.3.0")).toMatchObject([{ words: "'v5' <-> '3' <-> '0':*" }]);
    expect(parseSearch("o'neill")).toMatchObject([{ words: "'o' <-> 'neill':*" }]);
    expect(parseSearch("(>&|!:*)")).toMatchObject([{ words: undefined, isLong: false }]);
  });

  it("keep all their words without the order", () => {
    expect(parseSearch("v5.3.0 #7").map((term) => loosen(term).words)).toEqual(["'v5' & '3' & '0':*", undefined]);
  });

  it.each([
    ["abc", true],
    ["ab", false],
    ["v5.3", true],
    ["a-b", true],
    ["a--", false],
    ["---", false],
    ["api-", true],
  ])("%s: an index helps: %s", (text, isLong) => {
    expect(parseSearch(text)).toMatchObject([{ isLong }]);
  });

  it.each([
    ["#12", "12"],
    ["12", "12"],
    ["#0", undefined],
    ["1234567890123456", undefined],
    ["12a", undefined],
  ])("%s: the number of an entry: %s", (text, number) => {
    expect(parseSearch(text)[0]?.number).toBe(number);
  });

  it("look for no word if they name an entry with #", () => {
    expect(parseSearch("#1234")).toMatchObject([{ number: "1234", words: undefined, isLong: false }]);
    expect(parseSearch("1234")).toMatchObject([{ number: "1234", words: "'1234':*", isLong: true }]);
  });
});
