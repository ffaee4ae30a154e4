import { expect, it } from "vitest";
import { describeCurrent } from "#components/rollouts/step-bar.tsx";
import type { AllowedAction, Attention, RolloutDetail } from "#lib/contract/rollout.ts";

const answer = (allowed: boolean) =>
  [{ action: "continue", effect: "Clears the pause.", allowed }] as unknown as AllowedAction[];
const abort = [{ action: "abort", effect: "Aborts.", allowed: true }] as unknown as AllowedAction[];
const rollout = (reason: Attention["reason"], allowedActions: AllowedAction[]) =>
  ({ attention: { reason }, aborted: false, allowedActions }) as Pick<
    RolloutDetail,
    "attention" | "aborted" | "allowedActions"
  >;

it.each([
  { name: "a pause, for one who may continue", rollout: rollout("pause", answer(true)), words: "waiting for you" },
  { name: "a pause, for a viewer", rollout: rollout("pause", answer(false)), words: "waiting for a person" },
  { name: "a pause, for one who may only abort", rollout: rollout("pause", abort), words: "waiting for a person" },
  { name: "an Inconclusive analysis", rollout: rollout("inconclusive", answer(true)), words: "waiting for you" },
  { name: "the same for a viewer", rollout: rollout("inconclusive", answer(false)), words: "waiting for a person" },
])("$name: $words", ({ rollout, words }) => {
  expect(describeCurrent({ kind: "pause", endsAt: null, pluginStatuses: [] }, rollout, 0).words).toBe(words);
});
