import { describe, expect, it } from "vitest";
import { formatDifference, prepareDifference } from "#components/charts/prepare-difference.ts";

describe("prepareDifference", () => {
  const series = (values: readonly (number | undefined)[], shiftMs = 0) =>
    values.map((value, index) => ({ atMs: index * 10_000 + shiftMs, value }));

  const differences = (own: ReturnType<typeof series>, other: ReturnType<typeof series>) =>
    prepareDifference(own, other).rows.map(({ value }) => value);

  it.each([
    { name: "pairs values of about the same time", own: series([5, 7]), other: series([4, 9], 400), expected: [1, -2] },
    { name: "keeps zero", own: series([5, 5]), other: series([5, 5]), expected: [0, 0] },
    { name: "has none without a value", own: series([5, undefined]), other: series([4, 4]), expected: [1, null] },
    {
      name: "compares nothing with the value of the next measurement",
      own: series([5, 6]),
      other: series([undefined, 4]),
      expected: [null, 2],
    },
    {
      name: "does not compare what is far apart",
      own: series([5, 6, 7]),
      other: series([4]),
      expected: [1, null, null],
    },
    { name: "has none without another", own: series([5, 6]), other: [], expected: [null, null] },
  ])("$name", ({ own, other, expected }) => {
    expect(differences(own, other)).toEqual(expected);
  });

  it("says where the middle half of the differences is", () => {
    const own = series([1, 2, 3, 4, 100]);
    expect(prepareDifference(own, series([0, 0, 0, 0, 0])).middle).toEqual({ band: [2, 4], median: 3 });
    expect(prepareDifference(series([1, 2, 3]), series([0, 0, 0])).middle).toBeUndefined();
  });
});

describe("formatDifference", () => {
  it.each([
    { difference: 0, text: "0" },
    { difference: 0.96 - 0.94, text: "+0.02" },
    { difference: 0.9274 - 0.96, text: "\u22120.0326" },
    { difference: -1200, text: "\u22121200" },
    { difference: 123_456, text: "+123500" },
    { difference: Number.NaN, text: "unknown" },
  ])("writes $text", ({ difference, text }) => {
    expect(formatDifference(difference)).toBe(text);
  });
});
