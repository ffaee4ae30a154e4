import { expect, it } from "vitest";
import { explainStart } from "./explain-start.ts";

it.each<[Parameters<typeof explainStart>[0], string | undefined]>([
  [{ metrics: [{ name: "a" }] }, undefined],
  [{ startingStep: 0, metrics: [{ name: "a", initialDelay: "" }] }, undefined],
  [{ startingStep: 2, metrics: [] }, "It starts at step 3 of the rollout (startingStep 2)."],
  [
    { metrics: [{ name: "a", initialDelay: "5m" }, { name: "b" }] },
    "a is first measured 5m after the run starts (initialDelay).",
  ],
])("%j", (input, text) => {
  expect(explainStart(input)).toBe(text);
});
