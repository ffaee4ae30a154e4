import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { MetricStrip } from "#components/runs/metric-strip.tsx";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

const metric = {
  name: "success-rate",
  phase: "Successful",
  replayedPhase: "Failed",
  dryRun: false,
  counters: { failed: 5, inconclusive: 0, consecutiveError: 0, consecutiveSuccess: 0 },
  limits: { failureLimit: "1", inconclusiveLimit: "1", consecutiveErrorLimit: "4", consecutiveSuccessLimit: "0" },
} as RunMetric;

const textOf = (count: number) => {
  const metrics = Array.from({ length: count }, (_, index) => ({ ...metric, name: `m${index}` }));
  return renderToStaticMarkup(<MetricStrip metrics={metrics} />).replaceAll(/<[^>]*>/g, "");
};

it("shows what the measurements give, and how much of a limit they use", () => {
  expect(textOf(5)).toContain("m1: Failed●●●●●, 5 failed, 1 allowed");
});

it("leaves out links to metrics that are in view", () => {
  expect(textOf(4)).toBe("");
});
