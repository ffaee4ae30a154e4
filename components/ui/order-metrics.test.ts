import { expect, it } from "vitest";
import { orderMetrics } from "#components/ui/order-metrics.ts";
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
