import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeStepPlan } from "./step-plan.ts";
import { canaryOf } from "./testing/sample-canary.ts";

type Case = {
  id: string;
  provider?: string;
  analysis: Record<string, unknown>;
  expect: {
    canaryWeights: number[];
    metricCheckRounds: number;
    promotionPrimaryWeights: number[];
    effectiveIntervalSeconds: number;
  };
};

const fixture = join(import.meta.dirname, "../../../../test/fixtures/conformance/flagger-cases.json");
const { analysisPlans }: { analysisPlans: Case[] } = JSON.parse(readFileSync(fixture, "utf8"));

const planOf = (analysis: Record<string, unknown>, provider = "istio") =>
  computeStepPlan(canaryOf({ spec: { provider, targetRef: { kind: "Deployment", name: "podinfo" }, analysis } }));

describe("the plans that flagger-cases.json lists", () => {
  it.each(analysisPlans)("$id", (one) => {
    const plan = planOf(one.analysis, one.provider);
    expect({
      canaryWeights: plan.canaryWeights,
      metricCheckRounds: plan.checkRounds,
      promotionPrimaryWeights: plan.promotionPrimaryWeights,
      effectiveIntervalSeconds: plan.intervalSeconds,
    }).toEqual(one.expect);
  });
});

describe("the plan of", () => {
  it.each([
    {
      name: "blue-green",
      analysis: { iterations: 10 },
      strategy: "BlueGreen",
      weights: [],
      rounds: 11,
      primary: [100],
    },
    {
      name: "blue-green that returns in steps",
      analysis: { iterations: 2, stepWeightPromotion: 40 },
      strategy: "BlueGreen",
      weights: [],
      rounds: 3,
      primary: [40, 80, 100],
    },
    {
      name: "no router",
      analysis: { stepWeight: 10, stepWeightPromotion: 10, match: [{}] },
      provider: "kubernetes",
      strategy: "BlueGreen",
      weights: [],
      rounds: 11,
      primary: [100],
    },
    {
      name: "steps above all traffic",
      analysis: { stepWeight: 60 },
      strategy: "Canary",
      weights: [60, 100],
      rounds: 2,
      primary: [100],
    },
    {
      name: "no maximum",
      analysis: { stepWeight: 50, maxWeight: 0 },
      strategy: "Canary",
      weights: [50, 100],
      rounds: 2,
      primary: [100],
    },
    {
      name: "a list above all traffic",
      analysis: { stepWeights: [50, 120] },
      strategy: "Canary",
      weights: [50, 100],
      rounds: 2,
      primary: [100],
    },
    {
      name: "a list and a step",
      analysis: { stepWeights: [5, 50], stepWeight: 30 },
      strategy: "Canary",
      weights: [30, 60],
      rounds: 2,
      primary: [100],
    },
    {
      name: "a list with a smaller end",
      analysis: { stepWeights: [60, 20] },
      strategy: "Canary",
      weights: [60],
      rounds: 1,
      primary: [100],
    },
  ])("$name", ({ analysis, provider, strategy, weights, rounds, primary }) => {
    const plan = planOf(analysis, provider);
    expect(plan).toMatchObject({
      strategy,
      canaryWeights: weights,
      checkRounds: rounds,
      promotionPrimaryWeights: primary,
    });
    expect(plan.stallsAt).toBe(undefined);
  });

  it("one that Flagger never ends: a step of 0, or a weight that is listed twice", () => {
    expect(planOf({ stepWeight: 0 })).toMatchObject({ canaryWeights: [], checkRounds: 0, stallsAt: 0 });
    expect(planOf({ stepWeights: [10, 10, 50] })).toMatchObject({ canaryWeights: [10], stallsAt: 10 });
  });

  it("a threshold below 1 is 1", () => {
    expect(planOf({ stepWeight: 10, threshold: 0 }).threshold).toBe(1);
    expect(planOf({ stepWeight: 10, threshold: 3 }).threshold).toBe(3);
  });
});
