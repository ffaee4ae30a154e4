import { describe, expect, it } from "vitest";
import type { MetricQuestion } from "#sandbox/controllers/metric-provider.ts";
import { allScenarios } from "./all-scenarios.ts";
import { answerFor } from "./metric-behaviour.ts";

const QUESTION: MetricQuestion = {
  namespace: "payments",
  rollout: "checkout",
  version: "v2.9.0",
  runType: "Step",
  attempt: 0,
  metric: "success-rate",
  sequence: 0,
};

function ask(change: Partial<MetricQuestion>, seed = 1): unknown {
  return answerFor({ ...QUESTION, ...change }, { seed, scenarios: allScenarios });
}

describe("answerFor", () => {
  it("gives the same answer to the same question", () => {
    expect(ask({})).toEqual(ask({}));
  });

  it.each([{ seed: 2 }, { sequence: 1 }, { attempt: 1 }, { version: "v2.9.1" }])(
    "differs for %o",
    ({
      seed,
      ...change
    }: {
      seed?: number;
    } & Partial<MetricQuestion>) => {
      expect(ask(change, seed)).not.toEqual(ask({}));
    },
  );

  it("keeps a scenario's exact values whatever the seed", () => {
    expect([1, 2, 3].map((seed) => ask({ sequence: 12 }, seed))).toEqual(Array(3).fill({ value: 0.9274 }));
  });

  it.each(["no-data", "unreachable"] as const)("answers %s as told", (kind) => {
    const [base] = allScenarios;
    if (base === undefined) {
      throw new Error("no scenarios");
    }
    const series = { center: 1, spread: 0, at: { 0: kind } };
    const scenario = { ...base, ...{ namespace: "n", name: "r", behaviours: [], baseline: { m: series } } };
    const answer = answerFor(
      { ...QUESTION, namespace: "n", rollout: "r", metric: "m" },
      { seed: 1, scenarios: [scenario] },
    );
    expect(answer).toEqual(
      kind === "no-data" ? { noData: true } : { failure: expect.stringContaining("connection refused") },
    );
  });

  it("answers for a Rollout that no scenario knows", () => {
    expect(ask({ namespace: "default", rollout: "mine", metric: "anything" })).toEqual({ value: 1 });
  });
});
