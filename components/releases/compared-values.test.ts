import { expect, it } from "vitest";
import type { MeasuredMetric } from "#components/charts/comparison.tsx";
import { doesMatter, prepareComparedRow } from "#components/releases/compared-values.tsx";
import type { RunMetric } from "#lib/contract/analysis-run.ts";

type Limit = {
  condition: "success" | "failure";
  operator: "<=" | ">=" | ">";
  value: number;
  region: "above" | "below";
};
const atMost: Limit = { condition: "success", operator: "<=", value: 0.01, region: "below" };
const atLeast: Limit = { condition: "success", operator: ">=", value: 0.95, region: "above" };
const failsAbove: Limit = { condition: "failure", operator: ">", value: 0.03, region: "above" };

function series(values: readonly number[], limits: readonly Limit[], leftOut = 0, uid = ""): MeasuredMetric["own"] {
  const thresholds = limits.map((limit) => ({
    ...limit,
    accessor: "result",
    text: String(limit.value),
    inclusive: true,
  }));
  const at = (second: number) => `2026-11-29T01:51:${String(10 + second)}Z`;
  return {
    ...{ name: "v", analysis: "v", template: undefined },
    run: { uid, startedAt: at(0), rollout: null },
    metric: { name: "rate", phase: "Failed", unit: "ratio", thresholds } as unknown as RunMetric,
    measurements: values.map((value, seq) => ({
      ...{ metric: "rate", seq, startedAt: at(seq), finishedAt: at(seq), phase: "Successful", value: String(value) },
      ...{ parsed: { kind: "number", number: value }, message: "" },
    })) as unknown as MeasuredMetric["own"]["measurements"],
    leftOut: leftOut === 0 ? undefined : { metric: "rate", count: leftOut, unsuccessful: 0 },
  };
}

const rowOf = (own: MeasuredMetric["own"], ...others: MeasuredMetric["others"]) =>
  prepareComparedRow(
    { name: "rate", own, others: others.map((one) => ({ ...one, run: { ...one.run, uid: "other" } })) },
    own.run.uid,
  );

it("shows a rise that the median hides by the worst value", () => {
  const own = series([0.009, 0.008, 0.042, 0.009, 0.059], [atMost, failsAbove]);
  expect(rowOf(own, series([0.003, 0.005, 0.004, 0.002], [atMost], 3))).toEqual({
    name: "rate",
    own: { phase: "Failed", counted: "5 values", median: "0.9\u2009%", worst: "5.9\u2009%" },
    other: { phase: "Failed", counted: "4 of 7 values", median: "0.35\u2009%", worst: "0.5\u2009%" },
    change: { median: "+0.55\u2009points", worst: "+5.4\u2009points" },
    limits: "pass ≤ 1 %, fail > 3 %",
  });
});

it.each([
  { name: "the lowest value, if high ones pass", limits: [atLeast], worst: "90\u2009%" },
  { name: "no value as the worst, if the limits do not agree", limits: [atLeast, failsAbove], worst: undefined },
  { name: "no value as the worst without limits", limits: [], worst: undefined },
])("takes $name", ({ limits, worst }) => {
  expect(rowOf(series([0.99, 0.9, 0.97], limits)).own?.worst).toBe(worst);
});

it("makes up no change where one release has no value", () => {
  expect(rowOf(series([], [atMost]), series([0.1], [atMost]))).toMatchObject({ own: undefined, change: undefined });
  expect(rowOf(series([0.1], [atMost])).change).toBeUndefined();
});

it("shows a metric that only the older release measured on its side", () => {
  const own = series([0.1], [atMost], 0, "older");
  expect(prepareComparedRow({ name: "rate", own, others: [] }, "newer")).toMatchObject({
    own: undefined,
    other: { median: "10\u2009%" },
    change: undefined,
    limits: "pass ≤ 1 %",
  });
});

const sideOf = (phase: "Successful" | "Failed") => ({ phase, counted: "1 value", median: "1", worst: "1" });

it.each([
  { name: "a failure", own: sideOf("Failed"), other: sideOf("Failed"), matters: true },
  { name: "another verdict", own: sideOf("Successful"), other: sideOf("Failed"), matters: true },
  { name: "two passes", own: sideOf("Successful"), other: sideOf("Successful"), matters: false },
  { name: "a pass that is new", own: sideOf("Successful"), other: undefined, matters: false },
  { name: "no measurement", own: undefined, other: sideOf("Failed"), matters: false },
])("emphasises $name: $matters", ({ own, other, matters }) => {
  expect(doesMatter({ own, other })).toBe(matters);
});
