import { describe, expect, it } from "vitest";
import { computeTimeDomain, computeTimeTicks, keepReadable } from "#components/charts/time-axis.ts";

const start = Date.parse("2026-11-20T12:00:00Z");

describe("computeTimeTicks", () => {
  it.each([
    { name: "seconds", length: 8_000 },
    { name: "minutes", length: 25 * 60_000 },
    { name: "hours", length: 20 * 3_600_000 },
    { name: "months", length: 200 * 86_400_000 },
  ])("fits $name into the width, evenly", ({ length }) => {
    const ticks = computeTimeTicks([start + 123, start + 123 + length], 600);
    expect(ticks.length).toBeGreaterThanOrEqual(1);
    expect(ticks.length).toBeLessThanOrEqual(8);
    expect(new Set(ticks.slice(1).map((at, index) => at - (ticks[index] ?? 0))).size).toBeLessThanOrEqual(1);
  });
});

it.each([
  { name: "the first one, beside a value at the foot of the axis", foot: 0, kept: [50, 230] },
  { name: "none at the left, if the lowest value is higher", foot: 20, kept: [0, 50, 230] },
])("leaves out times without room at the right edge, and $name", ({ foot, kept }) => {
  const axes = { width: 315, left: 60, bottom: 200, x: (atMs: number) => 60 + atMs, y: (value: number) => 200 - value };
  expect(keepReadable([0, 50, 230, 240], axes, [{ value: foot }])).toEqual(kept);
});

describe("computeTimeDomain", () => {
  it("covers the run and all its measurements, with room at the edges", () => {
    const run = { startedAt: "2026-11-20T12:00:00Z", completedAt: null };
    const [low, high] = computeTimeDomain(run, [
      { startedAt: "2026-11-20T12:01:00Z", finishedAt: "2026-11-20T12:02:00Z" },
    ]);
    expect(low).toBeLessThan(start);
    expect(high).toBeGreaterThan(start + 120_000);
  });

  it("is never empty", () => {
    const [low, high] = computeTimeDomain({ startedAt: null }, []);
    expect(high).toBeGreaterThan(low);
    const [one, other] = computeTimeDomain({ startedAt: "2026-11-20T12:00:00Z" }, []);
    expect(other).toBeGreaterThan(one);
  });
});
