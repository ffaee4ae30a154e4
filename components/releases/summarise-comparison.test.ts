import { expect, it } from "vitest";
import { summariseComparison } from "#components/releases/summarise-comparison.ts";
import type { ReleaseCourse } from "#lib/contract/release-course.ts";

const none = { progressing: 0, analysing: 0, pausing: 0, waiting: 0, held: 0 };

function courseOf(
  state: string,
  activities: Partial<typeof none>,
  runs: { phase: string; stepIndex: number }[] = [],
): ReleaseCourse {
  const all = { ...none, ...activities };
  return {
    release: { state, stateReason: null, message: "" },
    to: "2026-01-01T00:00:00Z",
    time: { total: Object.values(all).reduce((sum, each) => sum + each, 0), activities: all, frozen: 0 },
    runs: runs.map((run) => ({ ...run, type: "Step", uid: `${run.stepIndex}`, name: "r" })),
  } as unknown as ReleaseCourse;
}

const names = ["v2", "v1"] as const;

it("says what took longer, and which analyses differ", () => {
  const one = courseOf("aborted", { progressing: 60, waiting: 3600 }, [{ phase: "Inconclusive", stepIndex: 1 }]);
  const other = courseOf("promoted", { progressing: 120 }, [
    { phase: "Successful", stepIndex: 1 },
    { phase: "Successful", stepIndex: 3 },
  ]);
  expect(summariseComparison([one, other], names)).toBe(
    "v2: Aborted. v1: Promoted. v2 took 59 min longer, 1 h more waiting for a person. Analysis (step 2): Inconclusive in v2, Successful in v1. Analysis (step 4): not run in v2, Successful in v1.",
  );
});

it("names the longer one, and no activity that explains less than half", () => {
  const one = courseOf("promoted", { progressing: 10 });
  const other = courseOf("promoted", { progressing: 20, analysing: 20, pausing: 20, held: 20 });
  expect(summariseComparison([one, other], names)).toBe("v2 and v1: both Promoted. v1 took 1 min 10 s longer.");
});

it("says that both took the same time", () => {
  const one = courseOf("promoted", { progressing: 10 });
  expect(summariseComparison([one, one], names)).toBe("v2 and v1: both Promoted. Both took 10 s.");
});
