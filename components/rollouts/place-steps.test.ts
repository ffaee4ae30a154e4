import { describe, expect, it } from "vitest";
import { describeAbortPoint, describeSteps, placeSteps } from "#components/rollouts/place-steps.ts";
import type { RolloutStep } from "#lib/contract/rollout.ts";

const steps: RolloutStep[] = (["setWeight: 25", "pause: 10s", "analysis", "setWeight: 70"] as const).map(
  (text, index) => ({
    index,
    kind: "setWeight",
    text,
    // The controller's status after an abort.
    state: index === 0 ? "current" : "pending",
    endsAt: null,
    pluginStatuses: [],
  }),
);
const rollout = { steps, step: 0, stepCount: 4, aborted: true, abortPoint: { step: 2, weight: 25 } };

describe("the step bar", () => {
  it.each([
    {
      name: "under way",
      rollout: { ...rollout, aborted: false, abortPoint: null },
      bar: "current pending pending pending",
      words: "Steps: 0 of 4 done",
    },
    { name: "aborted at the third", rollout, bar: "done done aborted pending", words: "Steps: aborted at step 3 of 4" },
    {
      name: "aborted, nobody saw where",
      rollout: { ...rollout, abortPoint: { step: null, weight: null } },
      bar: "pending pending pending pending",
      words: "Steps: aborted at an unknown step",
    },
    {
      name: "aborted behind the last step",
      rollout: { ...rollout, abortPoint: { step: 4, weight: 100 } },
      bar: "done done done done",
      words: "Steps: aborted at step 4 of 4",
    },
  ])("$name", ({ rollout, bar, words }) => {
    expect(
      placeSteps(rollout)
        .map(({ state }) => state)
        .join(" "),
    ).toBe(bar);
    expect(describeSteps(rollout)).toBe(words);
  });
});

const weight = { set: 0, actual: 0 };

it.each([
  {
    abortPoint: { step: 2, weight: 25 },
    weight,
    words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %. The new version now gets 0 %.",
  },
  {
    abortPoint: { step: 2, weight: 25 },
    weight: { set: 0, actual: 30 },
    words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %. The new version now gets 30 %.",
  },
  {
    abortPoint: { step: 2, weight: 25 },
    weight: { set: 0, actual: null },
    words: "Aborted at step 3 of 4 (analysis), with traffic set to 25 %.",
  },
  { abortPoint: { step: 2, weight: null }, weight, words: "Aborted at step 3 of 4 (analysis)." },
  {
    abortPoint: { step: 4, weight: 100 },
    weight: null,
    words: "Aborted with traffic set to 100 %.",
  },
  { abortPoint: { step: null, weight: null }, weight, words: undefined },
  { abortPoint: null, weight, words: undefined },
])("$words", ({ abortPoint, weight: now, words }) => {
  expect(describeAbortPoint({ steps, abortPoint, weight: now })).toBe(words);
});
