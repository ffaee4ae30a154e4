import { expect, it } from "vitest";
import { pairRuns } from "#components/releases/compare-runs.tsx";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

type Run = ReleaseCourse["runs"][number];
const run = (uid: string, type: string, stepIndex: number | null = null) => ({ uid, type, stepIndex }) as Run;

it("pairs by type and step, the newest of each, and keeps a run without a partner", () => {
  const pairs = pairRuns(
    [run("a1", "Step", 1), run("a2", "Step", 1), run("b", "Background")],
    [run("c", "Step", 1), run("d", "Step", 3)],
  );
  expect(pairs.map(({ place, own, other }) => [place, own?.uid, other?.uid])).toEqual([
    ["step 2", "a2", "c"],
    ["background", "b", undefined],
    ["step 4", undefined, "d"],
  ]);
});
