import { describe, expect, it } from "vitest";
import { formatGap } from "./format-gap.ts";

describe("formatGap", () => {
  it.each([
    [{ afterSeq: 0, count: 1 }, "1 measurement lost"],
    [{ afterSeq: 0, count: 4, open: false }, "4 measurements lost"],
    [{ afterSeq: 3, count: 0, open: true }, "measurements may be missing here: not observed"],
    [{ afterSeq: 3, count: 1, open: true }, "at least 1 measurement lost"],
  ])("%j: %s", (gap, words) => {
    expect(formatGap(gap)).toBe(words);
  });
});
