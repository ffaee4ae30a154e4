import { expect, it } from "vitest";
import { computeBackoff } from "./compute-backoff.ts";

const usual = { firstMs: 250, longestMs: 5000 };

it.each([
  { name: "the first wait", input: { ...usual, doublings: 0 }, expected: 250 },
  { name: "doubled each time", input: { ...usual, doublings: 3 }, expected: 2000 },
  { name: "at most the longest", input: { ...usual, doublings: 5 }, expected: 5000 },
  { name: "the longest after countless tries", input: { ...usual, doublings: 10_000 }, expected: 5000 },
  { name: "half of it at the lowest random value", input: { ...usual, doublings: 1, random: 0 }, expected: 250 },
  { name: "spread after the cap", input: { ...usual, doublings: 9, random: 0.5 }, expected: 3750 },
])("$name", ({ input, expected }) => {
  expect(computeBackoff(input)).toBe(expected);
});
