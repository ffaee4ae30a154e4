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

const textOf = (markup: string) => markup.replaceAll(/<[^>]*>/g, "");

it("shows what the measurements give, and how many are allowed", () => {
  expect(textOf(renderToStaticMarkup(<MetricStrip metrics={[metric]} />))).toBe(
    "success-rate: Failed●●●●● 5 failed, 1 allowed",
  );
});
