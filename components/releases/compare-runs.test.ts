import { describe, expect, it } from "vitest";
import { alignValues, pairRuns } from "#components/releases/compare-runs.tsx";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Run = ReleaseCourse["runs"][number];
const run = (uid: string, type: string, stepIndex: number | null = null) => ({ uid, type, stepIndex }) as Run;

describe("pairRuns", () => {
  it("pairs by type and step, the newest of each, and keeps what has no partner", () => {
    const pairs = pairRuns(
      [run("a1", "Step", 1), run("a2", "Step", 1), run("b", "Background")],
      [run("c", "Step", 1), run("d", "Step", 3)],
    );
    expect(pairs.map(({ one, other }) => [one?.uid, other?.uid])).toEqual([
      ["a2", "c"],
      ["b", undefined],
      [undefined, "d"],
    ]);
  });
});

describe("alignValues", () => {
  const startedAt = "2026-11-22T03:00:00.000Z";
  const at = (seconds: number) => new Date(Date.parse(startedAt) + seconds * 1000).toISOString();

  it("counts from the start of the run, and leaves a gap for what has no number", () => {
    const measurements = [
      { metric: "a", startedAt: at(1), finishedAt: at(2), parsed: { kind: "number" as const, number: 0 } },
      { metric: "b", startedAt: at(1), finishedAt: at(2), parsed: { kind: "number" as const, number: 7 } },
      { metric: "a", startedAt: at(3), finishedAt: at(4), parsed: { kind: "nan" as const } },
      { metric: "a", startedAt: at(5), finishedAt: null, parsed: { kind: "empty" as const } },
      { metric: "a", startedAt: at(-3), finishedAt: at(-2), parsed: { kind: "number" as const, number: 3 } },
    ];
    expect(alignValues(measurements, { metric: "a", startedAt })).toEqual([
      { at: "1970-01-01T00:00:02.000Z", value: 0 },
      { at: "1970-01-01T00:00:04.000Z", value: null },
      { at: "1970-01-01T00:00:05.000Z", value: null },
      { at: "1970-01-01T00:00:00.000Z", value: 3 },
    ]);
  });
});
