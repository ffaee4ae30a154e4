import { expect, it } from "vitest";
import { findAddedExplanation } from "#components/runs/run-measurements.tsx";

const verdict = "Inconclusive: 4 of 13 success-rate measurements were inconclusive (3 allowed).";

it.each([
  { explanation: "4 of 13 success-rate measurements were inconclusive (3 allowed).", added: undefined },
  { explanation: "latency: 2 of 2 passed before measuring stopped.", added: "itself" },
  {
    explanation: "4 of 13 success-rate measurements were inconclusive (3 allowed). It is a dry run and does not count.",
    added: "itself",
  },
  { explanation: "", added: undefined },
])("adds to the verdict: $explanation", ({ explanation, added }) => {
  expect(findAddedExplanation({ explanation }, verdict)).toBe(added === "itself" ? explanation : undefined);
});
