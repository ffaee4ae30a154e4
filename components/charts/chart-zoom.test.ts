import { describe, expect, it } from "vitest";
import { brush, fitZoom, pan, reveal, zoomAround } from "#components/charts/chart-zoom.ts";

const full = [0, 100_000] as const;

describe("zoomAround", () => {
  it.each([
    { name: "keeps the moment in its place", shown: full, atMs: 25_000, factor: 0.5, to: [12_500, 62_500] },
    { name: "ends at the ends", shown: [0, 10_000], atMs: 0, factor: 2, to: [0, 20_000] },
    { name: "gives the whole again", shown: [10_000, 80_000], atMs: 40_000, factor: 2, to: undefined },
    { name: "does not go below a moment", shown: [0, 3_000], atMs: 0, factor: 0.1, to: [0, 2_000] },
  ] as const)("$name", ({ shown, atMs, factor, to }) => {
    expect(zoomAround(shown, full, { atMs, factor })).toEqual(to);
  });
});

describe("pan", () => {
  it.each([
    { share: 0.5, to: [25_000, 35_000] },
    { share: -9, to: [0, 10_000] },
    { share: 99, to: [90_000, 100_000] },
  ])("by $share", ({ share, to }) => {
    expect(pan([20_000, 30_000], full, share)).toEqual(to);
  });

  it("leaves the whole as it is", () => {
    expect(pan(full, full, 0.5)).toBeUndefined();
  });
});

describe("brush", () => {
  it.each([
    { name: "to the right", from: 10_000, to: 30_000, shown: [10_000, 30_000] },
    { name: "to the left", from: 30_000, to: 10_000, shown: [10_000, 30_000] },
    { name: "a moment", from: 10_000, to: 10_500, shown: [9_250, 11_250] },
    { name: "beyond the end", from: 90_000, to: 120_000, shown: [70_000, 100_000] },
    { name: "over everything", from: -5, to: 100_005, shown: undefined },
  ])("$name", ({ from, to, shown }) => {
    expect(brush(from, to, full)).toEqual(shown);
  });
});

describe("fitZoom", () => {
  it.each([
    { name: "a part", from: 10_000, to: 30_000, shown: [10_000, 30_000] },
    { name: "what is left of it in the whole", from: -20_000, to: 30_000, shown: [0, 30_000] },
    { name: "a moment", from: 50_000, to: 50_001, shown: [49_000.5, 51_000.5] },
    { name: "everything", from: -5, to: 100_005, shown: undefined },
    { name: "a time before the run", from: -20_000, to: -10_000, shown: undefined },
    { name: "a time after it", from: 100_000, to: 120_000, shown: undefined },
    { name: "an end before its beginning", from: 30_000, to: 10_000, shown: undefined },
    { name: "no beginning", from: undefined, to: 10_000, shown: undefined },
    { name: "no end", from: 10_000, to: undefined, shown: undefined },
  ])("$name", ({ from, to, shown }) => {
    expect(fitZoom(from, to, full)).toEqual(shown);
  });
});

describe("reveal", () => {
  it.each([
    { name: "what is in view stays", atMs: 25_000, shown: [20_000, 30_000] },
    { name: "what is not comes to the middle", atMs: 50_000, shown: [45_000, 55_000] },
    { name: "what is at the end comes as near as it can", atMs: 100_000, shown: [90_000, 100_000] },
  ])("$name", ({ atMs, shown }) => {
    expect(reveal([20_000, 30_000], full, atMs)).toEqual(shown);
  });
});
