import { expect, it } from "vitest";
import type { RolloutObject } from "#lib/domain/argo/objects/rollout-object.ts";
import { pause, rolloutAt } from "#lib/domain/argo/plan/testing/plan-samples.ts";
import { computeRolloutView } from "#lib/domain/argo/view/rollout-view.ts";
import { toDeliveryState } from "./delivery-state.ts";
import { computeProjection } from "./rollout-projection.ts";

function placeOf(rollout: RolloutObject) {
  const state = toDeliveryState(computeProjection(rollout, computeRolloutView({ rollout, replicaSets: [] })));
  return state.pauses;
}

// Pauses at the second and, for ten minutes, at the fifth step.
it.each([
  [undefined, { reached: 0, passed: 0, isTimed: false }],
  [0, { reached: 0, passed: 0, isTimed: false }],
  [1, { reached: 1, passed: 0, isTimed: false }],
  [2, { reached: 1, passed: 1, isTimed: false }],
  [4, { reached: 2, passed: 1, isTimed: true }],
  [6, { reached: 2, passed: 2, isTimed: false }],
])("after %s steps of a canary", (currentStepIndex, place) => {
  const status = currentStepIndex === undefined ? {} : { currentStepIndex };
  expect(placeOf(rolloutAt({ name: "", status }))).toEqual({ steps: [1, 4], ...place });
});

it("finds no pause in a canary without steps", () => {
  expect(placeOf(rolloutAt({ name: "", steps: null }))).toEqual({ steps: [], reached: 0, passed: 0, isTimed: false });
});

it.each([
  ["before its wait", {}, false, { reached: 0, passed: 0, isTimed: false }],
  ["waiting for a person", pause("BlueGreenPause"), false, { reached: 1, passed: 0, isTimed: false }],
  ["waiting for its time", pause("BlueGreenPause"), true, { reached: 1, passed: 0, isTimed: true }],
  ["switched", { blueGreen: { activeSelector: "new" } }, false, { reached: 1, passed: 1, isTimed: false }],
  [
    "serving the version before",
    { blueGreen: { activeSelector: "old" } },
    false,
    { reached: 0, passed: 0, isTimed: false },
  ],
])("a blue-green %s", (_name, status, isTimed, place) => {
  const blueGreen = isTimed ? { autoPromotionSeconds: 60 } : { autoPromotionEnabled: false };
  expect(placeOf(rolloutAt({ name: "", blueGreen, status }))).toEqual({ steps: [0], ...place });
});

it("does not know the pauses of a record that lacks them", () => {
  const rollout = rolloutAt({ name: "" });
  const projection = computeProjection(rollout, computeRolloutView({ rollout, replicaSets: [] }));
  const { pauseSteps: _, ...view } = projection.view;
  expect(toDeliveryState({ ...projection, view }).pauses).toBeUndefined();
});
