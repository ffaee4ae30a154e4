import { describe, expect, it } from "vitest";
import { analysisPlans } from "#test/fixtures/conformance/flagger-cases.json";
import type { AnalysisSpec } from "./analysis-spec.ts";
import { countPlannedRounds, deriveRounds, planWeights } from "./derive-rounds.ts";
import { advance, copying, halt, iterate, started, tellMessages, tickZero } from "./testing/run-messages.ts";

const weights: AnalysisSpec = { metrics: [], interval: "10s", stepWeight: 20, maxWeight: 60 };
const blueGreen: AnalysisSpec = { metrics: [], interval: "10s", iterations: 3 };
const abTest: AnalysisSpec = { ...blueGreen, match: [{}] };

const traffic = "Halt a.b advancement waiting for traffic increase approval steps";
const trafficPassed = "Confirm-traffic-increase check steps passed";
const promotion = "Halt a.b advancement waiting for promotion approval ask";
const promotionPassed = "Confirm-promotion check ask passed";
const preRollout = "Halt a.b advancement pre-rollout check smoke failed no";
const rollout = "Halt a.b advancement external check load failed no";
const skipped = "Promotion completed! Canary analysis was skipped for a.b";
const threshold = (checks: number) => `Rolling back a.b failed checks threshold reached ${checks}`;

type Case = {
  name: string;
  spec?: AnalysisSpec;
  texts: (string | [number, string, number?])[];
  options?: { startWeight?: number; peakFailedChecks?: number };
  /** Rounds as `+` passed or `-` halted, with their numbers; `~` if only a later message tells of it. */
  rounds: string;
  gaps?: [afterRound: number, atLeast: number][];
  failedChecks?: number;
};

const cases: Case[] = [
  { name: "nothing was told", texts: [], rounds: "" },
  { name: "nothing is measured before the first step", texts: [started, tickZero, tickZero, advance(20)], rounds: "" },
  {
    name: "each step but the first, and the promotion, tell of a round",
    texts: [started, tickZero, advance(20), advance(40), advance(60), copying],
    rounds: "+1 +2 +3",
  },
  {
    name: "a mirrored analysis measures before it has traffic",
    spec: { ...weights, mirror: true },
    texts: [started, tickZero, advance(0), advance(20), advance(40), advance(60), copying],
    rounds: "+1 +2 +3 +4",
  },
  {
    name: "halts are rounds of the same step",
    texts: [started, tickZero, advance(20), halt("x"), halt("x"), advance(40)],
    rounds: "-1 -2 +3",
    failedChecks: 2,
  },
  {
    name: "a folded halt stands for several rounds",
    texts: [started, advance(20), [30, halt("x"), 3], [40, advance(40)]],
    rounds: "~1 ~2 -3 +4",
    failedChecks: 3,
  },
  {
    name: "a weight below 1 is no step",
    spec: { ...weights, stepWeight: 1e-9 },
    texts: [started, halt("x")],
    rounds: "-1",
    failedChecks: 1,
  },
  {
    name: "a failed rollout hook is a round, a failed pre-rollout hook is none",
    texts: [started, tickZero, preRollout, tickZero, advance(20), rollout, advance(40)],
    rounds: "-1 +2",
    failedChecks: 2,
  },
  {
    name: "a step that was not told is a gap of at least one round",
    texts: [started, tickZero, advance(20), advance(60), copying],
    rounds: "+2 +3",
    gaps: [[0, 1]],
  },
  {
    name: "a start that was not told is a gap",
    texts: [started, copying],
    rounds: "+3",
    gaps: [[0, 2]],
  },
  {
    name: "a second step without the first tells of its own round only",
    texts: [started, advance(40)],
    rounds: "+1",
  },
  {
    name: "a wait for more traffic tells of a round each time",
    texts: [
      started,
      tickZero,
      traffic,
      tickZero,
      trafficPassed,
      advance(20),
      traffic,
      traffic,
      trafficPassed,
      advance(40),
    ],
    rounds: "+1 +2 +3",
  },
  {
    name: "gates that pass belong to the round of what follows",
    texts: [
      advance(20),
      "Confirm-traffic-increase check other passed",
      trafficPassed,
      advance(40),
      trafficPassed,
      halt("x"),
    ],
    rounds: "+1 +2 -3",
    failedChecks: 1,
  },
  {
    name: "the rounds of a wait for the promotion are a gap",
    texts: [started, advance(20), advance(40), advance(60), [40, promotion], [70, promotionPassed], [70, copying]],
    rounds: "+1 +2 +3 +4",
    gaps: [[3, 0]],
  },
  {
    name: "a promotion approved at once leaves none",
    texts: [started, advance(20), advance(40), advance(60), [40, promotion], [50, promotionPassed], [50, copying]],
    rounds: "+1 +2 +3 +4",
  },
  {
    name: "checks fail during a wait for the promotion",
    texts: [advance(20), advance(40), advance(60), [40, promotion], [70, halt("x")], [80, threshold(1)]],
    rounds: "+1 +2 +3 -4",
    gaps: [[3, 0]],
    failedChecks: 1,
  },
  {
    name: "an A/B test has as many rounds as iterations",
    spec: abTest,
    texts: [started, tickZero, iterate(1), iterate(2), iterate(3), copying],
    rounds: "+1 +2 +3",
  },
  {
    name: "an A/B test repeats its last iteration while it waits",
    spec: abTest,
    texts: [iterate(1), iterate(2), iterate(3), promotion, iterate(3), [60, iterate(3)], [70, copying]],
    rounds: "+1 +2 +3 +4 +5 +6",
    gaps: [[4, 0]],
  },
  {
    name: "a blue/green analysis has one round more",
    spec: blueGreen,
    texts: [started, tickZero, iterate(1), iterate(2), iterate(3), "Routing all traffic to canary", copying],
    rounds: "+1 +2 +3 +4",
  },
  {
    name: "a blue/green analysis without traffic passes one round in silence",
    spec: blueGreen,
    texts: [started, tickZero, iterate(1), iterate(2), iterate(3), copying],
    rounds: "+1 +2 ~3 +4",
  },
  {
    name: "a gate tells of that round",
    spec: blueGreen,
    texts: [iterate(1), iterate(2), iterate(3), promotionPassed, [50, promotionPassed], [50, copying]],
    rounds: "+1 +2 +3 +4",
  },
  {
    name: "iterations that the controller sets itself",
    spec: { metrics: [], stepWeight: 20 },
    texts: ["Setting canaryAnalysis.iterations: 10", iterate(1, 10), iterate(2, 10)],
    rounds: "+1",
  },
  {
    name: "a canary that had all traffic is measured at once",
    texts: [started, copying],
    options: { startWeight: 100 },
    rounds: "+1",
  },
  {
    name: "a canary that had all traffic is measured before its first iteration",
    spec: abTest,
    texts: [started, iterate(1), iterate(2)],
    options: { startWeight: 100 },
    rounds: "+1 +2",
  },
  {
    name: "a skipped analysis is no round",
    texts: [started, copying, skipped],
    rounds: "",
  },
  {
    name: "the rounds before the analysis was skipped stay",
    texts: [started, advance(20), advance(40), copying, skipped],
    rounds: "+1",
  },
  {
    name: "a restart begins with the first step",
    texts: [advance(20), advance(40), "New revision detected! Restarting analysis for a.b", tickZero, advance(20)],
    rounds: "+1",
  },
  {
    name: "the announced number tells how many failed checks were lost",
    texts: [started, advance(20), halt("x"), threshold(3)],
    rounds: "-1",
    gaps: [[1, 2]],
    failedChecks: 3,
  },
  {
    name: "the status tells the same",
    texts: [started, advance(20), halt("x")],
    options: { peakFailedChecks: 2 },
    rounds: "-1",
    gaps: [[1, 1]],
    failedChecks: 2,
  },
  {
    name: "messages that Kubernetes folded are lost",
    texts: [started, advance(20), [30, "(combined from similar events): Advance a.b canary weight 40", 3]],
    rounds: "+1",
    gaps: [[0, 0]],
  },
  {
    name: "of folded messages only the last one is known",
    texts: [started, advance(20), [30, `(combined from similar events): ${halt("x")}`, 5]],
    rounds: "-1",
    gaps: [[0, 0]],
    failedChecks: 1,
  },
  {
    name: "a workload that is not ready is no round",
    texts: [
      started,
      advance(20),
      "canary deployment a.b not ready: waiting for rollout to finish: 1 old replicas are pending termination",
    ],
    rounds: "",
  },
];

describe("deriveRounds", () => {
  it.each(cases)("$name", ({ spec = weights, texts, options = {}, rounds, gaps = [], failedChecks = 0 }) => {
    const derived = deriveRounds({ spec, messages: tellMessages(texts), ...options });
    const words = derived.rounds.map(({ number, halt, isTimeExact }) => {
      return `${isTimeExact ? (halt === undefined ? "+" : "-") : "~"}${number}`;
    });
    expect(words.join(" ")).toBe(rounds);
    expect(derived.gaps.map(({ afterRound, atLeast }) => [afterRound, atLeast])).toEqual(gaps);
    expect(derived.failedChecks).toBe(failedChecks);
  });
});

it("does not spell out a count that nobody can check", () => {
  const messages = tellMessages([[0, halt("x"), 1_000_000_000]]);
  const { rounds, gaps, failedChecks } = deriveRounds({ spec: weights, messages });
  expect(rounds).toHaveLength(100);
  expect(rounds.at(-1)?.number).toBe(1_000_000_000);
  expect(gaps).toEqual([{ afterRound: 0, atLeast: 999_999_900 }]);
  expect(failedChecks).toBe(1_000_000_000);
});

describe("planWeights", () => {
  it.each(analysisPlans)("$id $note", ({ analysis, expect: wanted }) => {
    const spec = { metrics: [], ...analysis };
    const iterations = spec.iterations ?? 0;
    if (iterations === 0) expect(planWeights(spec)).toEqual(wanted.canaryWeights);
    expect(countPlannedRounds({ spec, iterations })).toBe(wanted.metricCheckRounds);
  });
});
