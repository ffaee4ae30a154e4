import { expect, it } from "vitest";
import { clipWeights, type WeightPoint } from "./clip-weights.ts";

const timeOf = (second: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, second)).toISOString();
const point = (second: number, step: number | null, weight: number | null, more: Partial<WeightPoint> = {}) => ({
  at: timeOf(second),
  podHash: "bbb",
  step,
  weight,
  abort: false,
  ...more,
});
const before = point(0, 6, 100, { podHash: "aaa" });
const steps = [{ setWeight: 25 }, {}, { setWeight: 50 }, {}];
const run = { podHash: "bbb", stepIndex: null, startedAt: timeOf(10), completedAt: timeOf(20) };

type Case = {
  name: string;
  run?: Partial<Parameters<typeof clipWeights>[0]["run"]>;
  points: WeightPoint[];
  weights: string[];
};

it.each<Case>([
  { name: "nothing observed of a background run", points: [], weights: [] },
  {
    name: "the release before does not count",
    points: [before, point(12, 0, 25)],
    weights: ["12: 25"],
  },
  {
    name: "what is in force at the start begins there",
    points: [before, point(2, 0, 25), point(14, 2, 50)],
    weights: ["10: 25", "14: 50"],
  },
  {
    name: "what comes after the end does not count",
    points: [point(2, 0, 25), point(21, 2, 50)],
    weights: ["10: 25"],
  },
  {
    name: "a run without an end takes all that follows",
    run: { completedAt: null },
    points: [point(2, 0, 25), point(60, 2, 50)],
    weights: ["10: 25", "60: 50"],
  },
  { name: "the same weight again is no step", points: [point(2, 0, 25), point(12, 1, 25)], weights: ["10: 25"] },
  {
    name: "a step's run at 50 %, although only the release before was observed before it",
    run: { stepIndex: 3 },
    points: [before, point(11, 3, 50)],
    weights: ["10: 50"],
  },
  {
    name: "a step's run of which nothing was observed: the last setWeight before it",
    run: { stepIndex: 3 },
    points: [before],
    weights: ["10: 50"],
  },
  { name: "a step's run before any setWeight", run: { stepIndex: 0 }, points: [], weights: ["10: 25"] },
  {
    name: "a step's run: an earlier step that was observed late",
    run: { stepIndex: 3 },
    points: [point(11, 1, 25), point(12, 3, 50)],
    weights: ["10: 50"],
  },
  {
    name: "a step's run that is aborted half-way",
    run: { stepIndex: 3 },
    points: [point(9, 3, 50), point(15, 0, 0, { abort: true })],
    weights: ["10: 50", "15: 0"],
  },
  {
    name: "a strategy without weights",
    points: [point(2, null, null)],
    weights: [],
  },
])("$name", ({ run: change, points, weights }) => {
  const clipped = clipWeights({ run: { ...run, ...change }, points, steps });
  expect(
    clipped.map(({ at, weight }) => `${new Date(at).getUTCSeconds() + new Date(at).getUTCMinutes() * 60}: ${weight}`),
  ).toEqual(weights);
});
