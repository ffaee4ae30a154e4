import { describe, expect, it } from "vitest";
import { parseRollout, type RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { computeSteps, describeStep, pauseSecondsOf } from "#lib/domain/argo/view/rollout-steps.ts";
import canaryStepText from "#test/fixtures/conformance/canary-step-text.json" with { type: "json" };

function rolloutWith(steps: object[], status: object): RolloutObject {
  const parsed = parseRollout({
    kind: "Rollout",
    metadata: { name: "r", namespace: "n", uid: "u", resourceVersion: "1" },
    spec: { strategy: { canary: { steps } } },
    status,
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.value;
}

function stepOf(step: object) {
  const [parsed] = rolloutWith([step], {}).spec.strategy.canary?.steps ?? [];
  if (parsed === undefined) throw new Error("no step");
  return parsed;
}

describe("describeStep", () => {
  it.each(canaryStepText.cases)("$id reads $expect.text", ({ step, expect: wanted }) => {
    expect(describeStep(stepOf(step), 100).text).toBe(wanted.text);
  });

  it("shows a step of a kind it does not know as unknown", () => {
    expect(describeStep(stepOf({ somethingNew: {} }), 100).kind).toBe("unknown");
  });
});

describe("pauseSecondsOf", () => {
  it.each([
    { duration: 30, seconds: 30 },
    { duration: 0, seconds: 0 },
    { duration: "45", seconds: 45 },
    { duration: "1h30m", seconds: 5400 },
    { duration: undefined, seconds: undefined },
    { duration: "soon", seconds: undefined },
  ])("$duration is $seconds s", ({ duration, seconds }) => {
    expect(pauseSecondsOf(stepOf({ pause: { duration } }))).toBe(seconds);
  });
});

describe("computeSteps", () => {
  const steps = [{ setWeight: 20 }, { pause: { duration: "1m" } }, { setWeight: 50 }];

  it("marks steps as done, current and pending, with the end of the timed pause", () => {
    const rollout = rolloutWith(steps, {
      currentStepIndex: 1,
      pauseConditions: [{ reason: "CanaryPauseStep", startTime: "2026-01-01T00:00:00Z" }],
    });
    expect(computeSteps(rollout).map(({ state, endsAt }) => ({ state, endsAt }))).toEqual([
      { state: "done", endsAt: null },
      { state: "current", endsAt: "2026-01-01T00:01:00.000Z" },
      { state: "pending", endsAt: null },
    ]);
  });

  it("has no current step once all are done", () => {
    expect(computeSteps(rolloutWith(steps, { currentStepIndex: 3 })).every((step) => step.state === "done")).toBe(true);
  });

  it("has what plugins answered at their steps", () => {
    const answer = { index: 1, name: "acme/checks", operation: "Run", phase: "Running", message: "2 of 3" };
    const rollout = rolloutWith(
      [{ plugin: { name: "acme/checks" } }, { plugin: { name: "acme/checks" } }, { setWeight: 5 }],
      {
        currentStepIndex: 1,
        canary: {
          stepPluginStatuses: [
            { index: 0, name: "acme/checks", operation: "Run", phase: "Successful", disabled: true },
            { ...answer, executions: 2, backoff: "30s", startedAt: "2026-01-01T00:00:00Z", updatedAt: "soon" },
            { ...answer, operation: "Terminate", phase: "Successful" },
            { index: 2, name: "stale", operation: "Run", phase: "Running" },
          ],
        },
      },
    );
    const none = {
      executions: null,
      backoff: null,
      disabled: false,
      startedAt: null,
      updatedAt: null,
      finishedAt: null,
    };
    const { index: _, ...answered } = answer;
    expect(computeSteps(rollout).map(({ pluginStatuses }) => pluginStatuses)).toEqual([
      [{ ...none, name: "acme/checks", operation: "Run", phase: "Successful", message: "", disabled: true }],
      [
        { ...none, ...answered, executions: 2, backoff: "30s", startedAt: "2026-01-01T00:00:00.000Z" },
        { ...none, ...answered, operation: "Terminate", phase: "Successful" },
      ],
      [],
    ]);
  });
});
