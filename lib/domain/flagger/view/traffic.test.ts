import { describe, expect, it } from "vitest";
import type { CanaryHistory } from "../history/run-memory.ts";
import { canaryOf } from "./testing/sample-canary.ts";
import { findTraffic, type Traffic } from "./traffic.ts";

type Case = {
  name: string;
  phase: string;
  weight?: number;
  iterations?: number;
  analysis?: object;
  provider?: string;
  history?: CanaryHistory;
  is: Partial<Traffic>;
};

const blueGreen = { iterations: 10 };
const abTest = { iterations: 10, match: [{}] };

const cases: Case[] = [
  { name: "no status", phase: "", is: { percent: null, source: null, statusPercent: null, disagreement: null } },
  { name: "an analysis", phase: "Progressing", weight: 20, is: { percent: 20, source: "status", disagreement: null } },
  { name: "weight 0 in an analysis", phase: "Progressing", weight: 0, is: { percent: 0, source: "status" } },
  {
    name: "a route that says otherwise",
    phase: "Progressing",
    weight: 20,
    history: { routeWeight: 10, sampledWeight: 15, lastKnownWeight: 5 },
    is: {
      percent: 10,
      source: "route",
      disagreement:
        "Flagger reports 20 %, but the route sends 10 %. The route is what counts: 10 % of live traffic is on the new version.",
    },
  },
  {
    name: "a sample that agrees",
    phase: "Progressing",
    weight: 20,
    history: { sampledWeight: 20, lastKnownWeight: 5 },
    is: { percent: 20, source: "sample", disagreement: null },
  },
  {
    name: "an older record does not outrank a right status",
    phase: "Progressing",
    weight: 20,
    history: { lastKnownWeight: 10 },
    is: { percent: 20, source: "status" },
  },
  {
    name: "a wait for the promotion, known",
    phase: "WaitingPromotion",
    weight: 0,
    history: { lastKnownWeight: 50 },
    is: { percent: 50, source: "stored", disagreement: expect.stringMatching(/0 % .*It was 50 %\.$/) },
  },
  {
    name: "a wait for the promotion, unknown",
    phase: "WaitingPromotion",
    weight: 0,
    is: { percent: null, source: null },
  },
  { name: "a promotion", phase: "Promoting", weight: 50, is: { percent: 50, source: "status" } },
  { name: "a promotion after a wait", phase: "Promoting", weight: 0, is: { percent: null } },
  {
    name: "a promotion of blue-green",
    phase: "Promoting",
    weight: 0,
    analysis: blueGreen,
    is: { percent: 100, source: "phase" },
  },
  {
    name: "its way back in steps",
    phase: "Promoting",
    weight: 60,
    analysis: blueGreen,
    is: { percent: 60, source: "status" },
  },
  {
    name: "blue-green before the switch",
    phase: "Progressing",
    weight: 0,
    iterations: 10,
    analysis: blueGreen,
    is: { percent: 0 },
  },
  {
    name: "blue-green after it",
    phase: "Progressing",
    weight: 0,
    iterations: 11,
    analysis: blueGreen,
    is: { percent: 100 },
  },
  {
    name: "an A/B test before it began",
    phase: "Progressing",
    weight: 0,
    iterations: 0,
    analysis: abTest,
    is: { percent: 0 },
  },
  {
    name: "an A/B test, whatever the route says",
    phase: "Progressing",
    weight: 0,
    iterations: 4,
    analysis: abTest,
    history: { routeWeight: 100 },
    is: { percent: null, source: "phase", disagreement: expect.stringContaining("every request that matches") },
  },
  {
    name: "a failed promotion without a router",
    phase: "Failed",
    weight: 100,
    provider: "kubernetes",
    is: {
      percent: 0,
      source: "phase",
      statusPercent: 100,
      disagreement: expect.stringContaining("users are on the primary"),
    },
  },
  {
    name: "a failed promotion with an unknown router",
    phase: "Failed",
    weight: 100,
    provider: "",
    is: { percent: 100, source: "status", disagreement: expect.stringContaining("is not known here") },
  },
  { name: "a new revision after a failed promotion", phase: "Waiting", weight: 100, is: { percent: 100 } },
  {
    name: "a run after a failed promotion",
    phase: "Progressing",
    weight: 0,
    history: { weightBeforeRun: 100 },
    is: { percent: 100, source: "stored", disagreement: expect.stringContaining("began with 100 %") },
  },
  {
    name: "the same for blue-green, which never resets the route",
    phase: "Progressing",
    weight: 0,
    iterations: 3,
    analysis: blueGreen,
    history: { weightBeforeRun: 100 },
    is: { percent: 100, source: "stored" },
  },
  {
    name: "a later step of such a run",
    phase: "Progressing",
    weight: 20,
    history: { weightBeforeRun: 100 },
    is: { percent: 20, source: "status" },
  },
  {
    name: "blue-green with another route",
    phase: "Progressing",
    weight: 0,
    analysis: blueGreen,
    history: { routeWeight: 100 },
    is: { percent: 100, source: "route" },
  },
  { name: "a deletion", phase: "Terminating", weight: 0, history: { lastKnownWeight: 50 }, is: { percent: null } },
  { name: "an unknown phase", phase: "WaitingTrafficIncrease", weight: 10, is: { percent: 10, source: "status" } },
];

describe("the traffic of", () => {
  it.each(cases)(
    "$name",
    ({ phase, weight, iterations, analysis = { stepWeight: 10 }, provider = "istio", history, is }) => {
      const canary = canaryOf({
        spec: { provider, targetRef: { kind: "Deployment", name: "podinfo" }, analysis },
        status: { phase, canaryWeight: weight, iterations },
      });
      expect(findTraffic({ canary, history })).toMatchObject(is);
    },
  );
});
