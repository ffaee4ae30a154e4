import { expect, it } from "vitest";
import { planAction } from "./plan-action.ts";
import { rolloutAt } from "./testing/plan-samples.ts";

const now = new Date("2026-11-20T12:00:00.500Z");

/** The fifth step is a pause of ten minutes; its time runs while the rollout is paused by hand. */
it.each([
  { since: "11:50:00", warnings: ["The time of this pause is over: the controller continues at once."] },
  { since: "11:50:01", warnings: [] },
])("a timed pause since $since: $warnings", ({ since, warnings }) => {
  const pauseConditions = [{ reason: "CanaryPauseStep", startTime: `2026-11-20T${since}Z` }];
  const status = { currentStepIndex: 4, controllerPause: true, pauseConditions };
  expect(
    planAction({ action: "unpause", rollout: rolloutAt({ name: "held", paused: true, status }), now }),
  ).toMatchObject({
    warnings,
  });
});
