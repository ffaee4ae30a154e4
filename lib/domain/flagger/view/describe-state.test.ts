import { expect, it } from "vitest";
import type { CanaryFacts } from "./canary-facts.ts";
import { describeState } from "./describe-state.ts";

it.each([
  { percent: 50, words: "Waits for approval to promote; 50 % is on the canary." },
  { percent: 0, words: "Waits for approval to promote; no traffic is on the canary." },
  { percent: null, words: "Waits for approval to promote." },
])("says at the gate of the promotion where the traffic is: $words", ({ percent, words }) => {
  const facts = { traffic: { percent }, failedChecks: 0, threshold: 5 } as CanaryFacts;
  expect(describeState(facts, "awaiting-promotion")).toBe(words);
});
