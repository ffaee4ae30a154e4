import { expect, it } from "vitest";
import { findAddedExplanation, orderMetrics } from "#components/ui/order-metrics.ts";
import type { AnalysisPhase } from "#lib/contract/common.ts";

const metric = (name: string, phase: AnalysisPhase, dryRun = false) => ({ name, phase, dryRun });

it("puts the worst verdict first, and what does not count last", () => {
  const metrics = [
    metric("passed", "Successful"),
    metric("dry", "Failed", true),
    metric("waits", "Pending"),
    metric("runs", "Running"),
    metric("new word", "Unknown"),
    metric("open", "Inconclusive"),
    metric("broken", "Error"),
    metric("bad", "Failed"),
  ];
  const names = orderMetrics(metrics).map(({ name }) => name);
  expect(names).toEqual(["bad", "broken", "open", "new word", "runs", "waits", "passed", "dry"]);
});

it("counts what the measurements give, not the recorded success that they contradict", () => {
  const forced = { ...metric("forced", "Successful"), replayedPhase: "Failed" as const };
  const names = orderMetrics([metric("open", "Inconclusive"), forced]).map(({ name }) => name);
  expect(names).toEqual(["forced", "open"]);
});

it("keeps the order of the spec among equals, and the list that it was given", () => {
  const metrics = [metric("b", "Successful"), metric("a", "Successful"), metric("c", "Failed")];
  expect(orderMetrics(metrics).map(({ name }) => name)).toEqual(["c", "b", "a"]);
  expect(metrics.map(({ name }) => name)).toEqual(["b", "a", "c"]);
});

const verdict = "Inconclusive: 4 of 13 success-rate measurements were inconclusive (3 allowed).";

it.each([
  { explanation: "4 of 13 success-rate measurements were inconclusive (3 allowed).", added: undefined },
  { explanation: "latency: 2 of 2 passed before measuring stopped.", added: "itself" },
  {
    explanation: "4 of 13 success-rate measurements were inconclusive (3 allowed). It is a dry run and does not count.",
    added: "itself",
  },
  { explanation: "", added: undefined },
  { explanation: "rate: 0 of 5 successful, 5 failed.", replayedPhase: "Failed" as const, added: undefined },
])("adds to the verdict: $explanation", ({ explanation, replayedPhase = null, added }) => {
  expect(findAddedExplanation({ explanation, replayedPhase }, verdict)).toBe(
    added === "itself" ? explanation : undefined,
  );
});
