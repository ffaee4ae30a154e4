import { expect, it } from "vitest";
import { describeFollows } from "#lib/domain/argo/view/describe-detail.ts";
import { planAction } from "./plan-action.ts";
import { background, pause, rolloutAt } from "./testing/plan-samples.ts";

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

it("says of an override what the page says before the click", () => {
  const rollout = rolloutAt({
    name: "",
    steps: [{ setWeight: 50 }, { pause: {} }, { setWeight: 80 }, { pause: { duration: "15s" } }],
    canary: { analysis: { templates: [{ templateName: "slo" }] } },
    status: {
      ...pause("CanaryPauseStep", "InconclusiveAnalysisRun"),
      currentStepIndex: 1,
      canary: background("Inconclusive"),
    },
  });
  expect(describeFollows({ rollout })?.text).toBe("Then 80 % → wait 15 s → 100 %, with a new background run.");
  expect(planAction({ action: "continue-waive", rollout, now })).toMatchObject({
    effect: expect.stringMatching(
      /also skips the pause at step 2 of 4, which cannot be cleared separately: .* \(80 % traffic\)\. Then wait 15 s → 100 %, with a new background run\.$/,
    ),
  });
});
