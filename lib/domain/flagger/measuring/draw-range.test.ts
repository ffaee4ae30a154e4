import { describe, expect, it } from "vitest";
import type { AnalysisMetric } from "./analysis-spec.ts";
import { readBounds } from "./draw-range.ts";

describe("readBounds", () => {
  it.each<{ name: string; metric: Omit<AnalysisMetric, "name"> & { name?: string }; drawn: string[] }>([
    { name: "both bounds", metric: { thresholdRange: { min: 1, max: 5.5 } }, drawn: ["min 1 (1)", "max 5.5 (5.5)"] },
    { name: "a bound of 0", metric: { thresholdRange: { min: 0 } }, drawn: ["min 0 (0)"] },
    { name: "no bound in the range", metric: { thresholdRange: {} }, drawn: [] },
    {
      name: "a range rather than a threshold",
      metric: { thresholdRange: { max: 5 }, threshold: 9 },
      drawn: ["max 5 (5)"],
    },
    { name: "a threshold is a maximum", metric: { threshold: 9 }, drawn: ["max 9 (9)"] },
    { name: "no threshold is a maximum of 0", metric: {}, drawn: ["max 0 (0)"] },
    {
      name: "percent",
      metric: { name: "request-success-rate", thresholdRange: { min: 99.5 } },
      drawn: ["min 99.5 (99.5%)"],
    },
    {
      name: "a threshold of the success rate is a minimum",
      metric: { name: "request-success-rate", threshold: 99 },
      drawn: ["min 99 (99%)"],
    },
    {
      name: "milliseconds as seconds, without fractions",
      metric: { name: "request-duration", thresholdRange: { min: 10, max: 500.9 } },
      drawn: ["min 0.01 (10ms)", "max 0.5 (500ms)"],
    },
    {
      name: "a threshold in milliseconds",
      metric: { name: "request-duration", threshold: 500 },
      drawn: ["max 0.5 (500ms)"],
    },
  ])("$name", ({ metric, drawn }) => {
    const bounds = readBounds({ name: "errors", ...metric });
    expect(bounds.map(({ side, value, text }) => `${side} ${value} (${text})`)).toEqual(drawn);
  });
});
