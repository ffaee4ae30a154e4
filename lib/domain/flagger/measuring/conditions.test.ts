import { describe, expect, it } from "vitest";
import type { AnalysisMetric } from "./analysis-spec.ts";
import { drawConditions, writeConditions } from "./conditions.ts";

describe("the conditions of a metric", () => {
  it.each<{ metric: AnalysisMetric; condition: string | undefined; limits: [string, number, string][] }>([
    {
      metric: { name: "request-success-rate", thresholdRange: { min: 99 } },
      condition: "result >= 99%",
      limits: [[">=", 99, "99%"]],
    },
    {
      metric: { name: "request-duration", thresholdRange: { max: 500 } },
      condition: "result <= 500ms",
      limits: [["<=", 0.5, "500ms"]],
    },
    {
      metric: { name: "own", thresholdRange: { min: -1.5, max: 1e21 } },
      condition: "result >= -1.5 and result <= 1e+21",
      limits: [
        [">=", -1.5, "-1.5"],
        ["<=", 1e21, "1e+21"],
      ],
    },
    { metric: { name: "own" }, condition: "result <= 0", limits: [["<=", 0, "0"]] },
    { metric: { name: "own", thresholdRange: {} }, condition: undefined, limits: [] },
  ])("$condition", ({ metric, condition, limits }) => {
    const conditions = writeConditions(metric);
    expect(conditions.successCondition).toBe(condition);
    const { thresholds, isComplete } = drawConditions(conditions);
    expect(isComplete).toBe(true);
    expect(thresholds.map(({ operator, value, text }) => [operator, value, text])).toEqual(limits);
  });

  it("says when it cannot draw one", () => {
    expect(drawConditions({ successCondition: "result > 3" })).toEqual({ thresholds: [], isComplete: false });
  });
});
