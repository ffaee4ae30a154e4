import { expect, it } from "vitest";
import type { CanaryFacts } from "./canary-facts.ts";
import { describeState } from "./describe-state.ts";

it.each([
  { percent: 50, words: "Waiting for approval to promote. The canary has 50 % of traffic." },
  { percent: 0, words: "Waiting for approval to promote. The canary has no traffic." },
  { percent: null, words: "Waiting for approval to promote." },
])("says at the gate of the promotion where the traffic is: $words", ({ percent, words }) => {
  const facts = { traffic: { percent }, failedChecks: 0, threshold: 5 } as CanaryFacts;
  expect(describeState(facts, "awaiting-promotion")).toBe(words);
});
