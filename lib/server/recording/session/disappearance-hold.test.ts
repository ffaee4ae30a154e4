import { describe, expect, it } from "vitest";
import { judgeDeletions, judgeDisappearance } from "./disappearance-hold.ts";

const lists = [
  { stored: 0, missing: 0, listed: 0, result: "plausible" },
  { stored: 0, missing: 0, listed: 3, result: "plausible" },
  { stored: 1, missing: 1, listed: 0, result: "empty" },
  { stored: 10, missing: 10, listed: 0, result: "empty" },
  { stored: 1, missing: 1, listed: 1, result: "plausible" },
  { stored: 10, missing: 10, listed: 3, result: "shrink" },
  { stored: 10, missing: 0, listed: 10, result: "plausible" },
  { stored: 10, missing: 5, listed: 5, result: "plausible" },
  { stored: 10, missing: 6, listed: 4, result: "shrink" },
  { stored: 9, missing: 5, listed: 4, result: "shrink" },
  { stored: 6, missing: 4, listed: 2, result: "plausible" },
];
const deletions = [
  { recent: 1, left: 0, result: "plausible" },
  { recent: 4, left: 0, result: "plausible" },
  { recent: 5, left: 0, result: "shrink" },
  { recent: 5, left: 4, result: "shrink" },
  { recent: 5, left: 5, result: "plausible" },
];

describe("judgeDisappearance", () => {
  it.each(lists)("$missing of $stored, $listed listed: $result", ({ result, ...numbers }) => {
    expect(judgeDisappearance(numbers)).toBe(result);
  });
});

describe("judgeDeletions", () => {
  it.each(deletions)("$recent deleted, $left left: $result", ({ recent, left, result }) => {
    expect(judgeDeletions({ recent, left })).toBe(result);
  });
});
