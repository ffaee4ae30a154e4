import { expect, it } from "vitest";
import { formatStep } from "#components/rollouts/rollout-columns.tsx";

const rollout = { step: 3, stepCount: 6, abortPoint: null };

it.each([
  { name: "the current step, not the completed ones", rollout, words: "4/6" },
  { name: "all done", rollout: { ...rollout, step: 6 }, words: "6/6" },
  { name: "aborted at the third", rollout: { ...rollout, step: 0, abortPoint: { step: 2, weight: 25 } }, words: "3/6" },
  {
    name: "aborted, nobody saw where",
    rollout: { ...rollout, abortPoint: { step: null, weight: null } },
    words: "?/6",
  },
  { name: "no steps", rollout: { ...rollout, step: null, stepCount: 0 }, words: "" },
])("$name", ({ rollout, words }) => {
  expect(formatStep(rollout)).toBe(words);
});
