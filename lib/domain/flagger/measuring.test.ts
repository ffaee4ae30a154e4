import { describe, expect, it } from "vitest";
import type { RunPhase } from "#lib/domain/delivery/run-phase.ts";
import type { AnalysisMetric } from "./measuring/analysis-spec.ts";
import { drawConditions, flaggerExplaining, writeConditions } from "./measuring.ts";

const rules = {
  interval: "30s",
  threshold: 3,
  metrics: [
    { name: "request-success-rate", interval: "1m", thresholdRange: { min: 99 } },
    { name: "request-duration", thresholdRange: { min: 1, max: 500 } },
    { name: "errors", templateRef: { name: "errors" }, thresholdRange: { max: 5 } },
    { name: "errors", templateRef: { name: "other" }, thresholdRange: { max: 9 } },
  ],
};

describe("a run of Flagger", () => {
  it("has each metric's limits, in the unit of its values", () => {
    const metrics = ["request-duration", "errors (2)", "gone"].map((name) => ({ name, measurements: [] }));
    const run = { rules, metrics, phase: "Running" as const, message: "", rollout: undefined };
    const { metrics: described } = flaggerExplaining.describeRun(run);
    const drawn = [...described].map(([name, { drawn }]) => [
      name,
      drawn.thresholds.map(({ value, text }) => [value, text]),
    ]);
    expect(drawn).toEqual([
      [
        "request-duration",
        [
          [0.001, "1ms"],
          [0.5, "500ms"],
        ],
      ],
      ["errors (2)", [[9, "9"]]],
      ["gone", []],
    ]);
  });

  it.each<{ counts: { count?: number; failed?: number; error?: number }; words: string }>([
    { counts: {}, words: "Its checks are not known." },
    {
      counts: { count: 1 },
      words: "1 known check, passed. Flagger's messages tell values only of checks that failed.",
    },
    {
      counts: { count: 3, failed: 2, error: 1 },
      words: "4 known checks: 2 failed, 1 gave no value. Flagger's messages tell values only of checks that failed.",
    },
  ])("says of a metric: $words", ({ counts, words }) => {
    const metrics = [{ name: "errors", measurements: [], ...counts }];
    const run = { rules, metrics, phase: "Running" as const, message: "", rollout: undefined };
    expect(flaggerExplaining.describeRun(run).metrics.get("errors")?.explanation).toBe(words);
  });

  it.each<{ phase: RunPhase | undefined; words: RegExp | undefined }>([
    { phase: "Failed", words: /threshold of 3/ },
    { phase: "Successful", words: /let the version pass/ },
    { phase: "Error", words: /could not measure/ },
    { phase: "Inconclusive", words: /without a verdict/ },
    { phase: "Running", words: undefined },
    { phase: undefined, words: undefined },
  ])("says why it is $phase", ({ phase, words }) => {
    const { explanation } = flaggerExplaining.describeRun({
      rules,
      metrics: [],
      phase,
      message: "",
      rollout: undefined,
    });
    if (words === undefined) expect(explanation).toBeUndefined();
    else expect(explanation).toMatch(words);
  });

  it.each([
    { metric: "request-success-rate", value: "98.2", why: "98.2% is below the minimum of 99%." },
    { metric: "request-duration", value: "0.7254", why: "725.4ms is above the maximum of 500ms." },
    { metric: "errors", value: "7", why: "7 is above the maximum of 5." },
    { metric: "errors", value: "0", why: undefined },
    { metric: "errors", value: undefined, why: undefined },
    { metric: "gone", value: "7", why: undefined },
  ])("explains $metric $value: $why", ({ metric, value, why }) => {
    const measurement = { metric, phase: "Failed" as const, message: "", ...(value === undefined ? {} : { value }) };
    expect(flaggerExplaining.explainMeasurements({ rules, units: new Map(), measurements: [measurement] })).toEqual([
      why,
    ]);
  });

  it("shows the rules, whose interval is that of the analysis", () => {
    const { metrics } = flaggerExplaining.readSpec(rules);
    expect(
      [...metrics.values()].map(({ name, provider, interval, successCondition }) => [
        name,
        provider,
        interval,
        successCondition,
      ]),
    ).toEqual([
      ["request-success-rate", "prometheus", "30s", "result >= 99%"],
      ["request-duration", "prometheus", "30s", "result >= 1ms and result <= 500ms"],
      ["errors", null, "30s", "result <= 5"],
      ["errors (2)", null, "30s", "result <= 9"],
    ]);
    expect(flaggerExplaining.readSpec("nothing").metrics.size).toBe(0);
  });

  it("shows a template as its query", () => {
    const { metrics } = flaggerExplaining.readSpec({
      provider: { type: "prometheus", address: "http://p" },
      query: "up",
    });
    expect([...metrics.values()]).toMatchObject([{ name: "query", provider: "prometheus", successCondition: null }]);
  });
});

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
