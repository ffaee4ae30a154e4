import { describe, expect, it } from "vitest";
import { findResumePoint, mergeAnswers, mergeMeasurements } from "#lib/client/run-queries.ts";
import type { Measurement } from "#lib/contract/analysis-run.ts";

const take = (metric: string, seq: number, value = "1"): Measurement => ({ metric, seq, value }) as Measurement;
const wordsOf = (items: readonly Measurement[]) => items.map(({ metric, seq, value }) => `${metric}${seq}=${value}`);

describe("mergeMeasurements", () => {
  it.each([
    { name: "what follows", newer: [take("a", 3)], merged: ["a1=1", "a2=1", "a3=1", "b1=1"] },
    { name: "what was retaken", newer: [take("a", 2, "9")], merged: ["a1=1", "a2=9", "b1=1"] },
    { name: "a retaken one that is gone", newer: [take("a", 1, "9")], merged: ["a1=9", "b1=1"] },
    { name: "a new metric", newer: [take("c", 1)], merged: ["a1=1", "a2=1", "b1=1", "c1=1"] },
    { name: "nothing", newer: [], merged: ["a1=1", "a2=1", "b1=1"] },
  ])("adds $name", ({ newer, merged }) => {
    expect(wordsOf(mergeMeasurements([take("a", 1), take("a", 2), take("b", 1)], newer))).toEqual(merged);
  });
});

it("mergeAnswers adds what both leave out, and keeps the newer position", () => {
  const left = (metric: string, count: number, unsuccessful: number) => ({ metric, count, unsuccessful });
  const known = { items: [take("a", 1)], nextCursor: null, latest: "x", leftOut: [left("a", 40, 3), left("b", 5, 0)] };
  const newer = { items: [take("a", 90)], nextCursor: null, latest: "y", leftOut: [left("a", 2, 1)] };
  expect(mergeAnswers(known, newer)).toEqual({
    items: [take("a", 1), take("a", 90)],
    nextCursor: null,
    latest: "y",
    leftOut: [left("a", 42, 4), left("b", 5, 0)],
  });
});

describe("findResumePoint", () => {
  const items = Array.from({ length: 7 }, (_, index) => take("a", index + 1));

  it.each([
    { name: "continues", latest: "x", points: 3, expected: "x" },
    { name: "starts again if it became crowded", latest: "x", points: 2, expected: undefined },
    { name: "starts again without a position", latest: null, points: 3, expected: undefined },
  ])("$name", ({ latest, points, expected }) => {
    expect(findResumePoint({ items, nextCursor: null, latest }, points)).toBe(expected);
  });
});
