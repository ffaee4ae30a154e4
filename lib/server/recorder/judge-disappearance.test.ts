import { describe, expect, it } from "vitest";
import { judgeDeletions, judgeDisappearance } from "./judge-disappearance.ts";

const lists = [
  { stored: 0, missing: 0, result: "plausible" },
  { stored: 1, missing: 1, result: "empty" },
  { stored: 10, missing: 10, result: "empty" },
  { stored: 10, missing: 0, result: "plausible" },
  { stored: 10, missing: 5, result: "plausible" },
  { stored: 10, missing: 6, result: "shrink" },
  { stored: 9, missing: 5, result: "shrink" },
  { stored: 6, missing: 4, result: "plausible" },
];
const deletions = [
  { recent: 1, left: 0, result: "plausible" },
  { recent: 4, left: 0, result: "plausible" },
  { recent: 5, left: 0, result: "shrink" },
  { recent: 5, left: 4, result: "shrink" },
  { recent: 5, left: 5, result: "plausible" },
];

describe("judgeDisappearance", () => {
  it.each(lists)("$missing of $stored: $result", ({ stored, missing, result }) => {
    expect(judgeDisappearance({ stored, missing })).toBe(result);
  });
});

describe("judgeDeletions", () => {
  it.each(deletions)("$recent deleted, $left left: $result", ({ recent, left, result }) => {
    expect(judgeDeletions({ recent, left })).toBe(result);
  });
});
