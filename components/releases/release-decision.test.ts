import { expect, it } from "vitest";
import { nameDeciding } from "#components/releases/release-decision.tsx";

const metric = (
  name: string,
  phase: "Pending" | "Successful" | "Failed" | "Inconclusive" | "Error",
  dryRun = false,
) => ({
  ...{ name, phase, dryRun },
});

it.each([
  {
    name: "the Failed metric of a Failed run, not one that was never measured",
    phase: "Failed",
    metrics: [metric("errors", "Failed"), metric("latency", "Pending"), metric("rate", "Successful")],
    words: "errors",
  },
  {
    name: "the Failed metric, not the Inconclusive one",
    phase: "Failed",
    metrics: [metric("errors", "Failed"), metric("latency", "Inconclusive")],
    words: "errors",
  },
  {
    name: "each metric with the result of the run, without dry runs",
    phase: "Error",
    metrics: [metric("errors", "Error"), metric("latency", "Error"), metric("shadow", "Error", true)],
    words: "errors and latency",
  },
  {
    name: "the analysis if it passed",
    phase: "Successful",
    metrics: [metric("errors", "Successful")],
    words: "this analysis",
  },
  {
    name: "the analysis if no metric has its result",
    phase: "Failed",
    metrics: [metric("errors", "Failed", true), metric("latency", "Successful")],
    words: "this analysis",
  },
] as const)("names $name", ({ phase, metrics, words }) => {
  expect(nameDeciding({ phase, metrics })).toBe(words);
});

it("names the analysis until it is loaded", () => {
  expect(nameDeciding(undefined)).toBe("this analysis");
});
