import { describe, expect, it } from "vitest";
import type { MetricRules } from "#lib/domain/delivery/explaining.ts";
import { measuringProviderOf } from "#lib/domain/providers.ts";
import type { CounterRow } from "#lib/server/records/metric-rows.ts";
import { describeEvidence } from "./describe-evidence.ts";

const metric: CounterRow = {
  run_uid: "r",
  name: "success-rate",
  phase: "Running",
  message: "",
  dry_run: false,
  provider: "prometheus",
  count: 5,
  successful: 2,
  failed: 1,
  inconclusive: 2,
  error: 0,
  consecutive_error: 0,
  consecutive_success: 0,
  query: null,
  inconsistent: false,
};
const { explaining } = measuringProviderOf("AnalysisRun");
const describeRow = (
  change: Partial<CounterRow>,
  conditions: { successCondition?: string; failureCondition?: string } = {},
  last: string | null = null,
  rules?: Partial<MetricRules>,
) =>
  describeEvidence({
    metric: { ...metric, ...change },
    rules: rules as MetricRules | undefined,
    defaults: explaining.defaultLimits,
    conditions,
    draw: explaining.drawConditions,
    units: { "error-*": "ratio" },
    values: last === null ? undefined : { numbers: [1], last, last_phase: "Failed", metadata: null },
  });

describe("when a value passes and fails", () => {
  it.each([
    { success: "result[0] >= 0.95", failure: "result[0] < 0.90", pass: "≥ 0.95", fail: "< 0.90" },
    { success: "0.95 <= result", failure: undefined, pass: "≥ 0.95", fail: null },
    { success: undefined, failure: "result != 0", pass: null, fail: "≠ 0" },
    { success: "", failure: " ", pass: null, fail: null },
    { success: "len(result) > 0", failure: undefined, pass: "len(result) > 0", fail: null },
    {
      success: "result[0] > 1 and result[0] < 2",
      failure: "result.a >= 1",
      pass: "result[0] > 1 and result[0] < 2",
      fail: "result.a >= 1",
    },
    { success: "result[0] >=", failure: undefined, pass: "result[0] >=", fail: null },
  ])("$success, $failure: $pass, $fail", ({ success, failure, pass, fail }) => {
    const rules = {
      ...(success === undefined ? {} : { successCondition: success }),
      ...(failure === undefined ? {} : { failureCondition: failure }),
    };
    expect(describeRow({}, rules)).toMatchObject({ pass, fail });
  });

  it("gives the lines that a spark line draws", () => {
    const rules = { successCondition: "result[0] >= 0.95", failureCondition: "result[0] < 0" };
    expect(describeRow({}, rules).thresholds).toEqual([
      { condition: "success", value: 0.95, inclusive: true, region: "above" },
      { condition: "failure", value: 0, inclusive: false, region: "below" },
    ]);
  });
});

it("words the limits of a ratio in percent, and no others", () => {
  const rules = { successCondition: "result[0] <= 0.01", failureCondition: "len(result) > 3" };
  expect(describeRow({ name: "error-rate" }, rules, "0.005")).toMatchObject({
    ...{ unit: "ratio", last: "0.005", pass: "≤ 1 %", fail: "len(result) > 3" },
    thresholds: [{ value: 0.01 }, { value: 3 }],
  });
  expect(describeRow({ name: "latency" }, rules)).toMatchObject({ unit: null, pass: "≤ 0.01" });
});

it("has the verdict on the newest value beside that on the metric", () => {
  expect(describeRow({ phase: "Successful" }, {}, "0.82")).toMatchObject({ phase: "Successful", lastPhase: "Failed" });
  expect(describeRow({}).lastPhase).toBeNull();
});

it.each([
  { value: "[0.9471]", last: "0.9471" },
  { value: "[1,2]", last: "[1,2]" },
  { value: "[[1]]", last: "[[1]]" },
  { value: "[]", last: "[]" },
  { value: "0", last: "0" },
  { value: null, last: null },
])("shows $value as $last", ({ value, last }) => {
  expect(describeRow({}, {}, value).last).toBe(last);
});

it.each([
  { phase: "Inconclusive", spec: { inconclusiveLimit: "2" }, limit: { what: "inconclusive", used: 2, limit: "2" } },
  { phase: "Inconclusive", spec: undefined, limit: { what: "inconclusive", used: 2, limit: "0" } },
  { phase: "Failed", spec: { failureLimit: "0" }, limit: { what: "failed", used: 1, limit: "0" } },
  { phase: "Error", spec: undefined, limit: { what: "errors in a row", used: 0, limit: "4" } },
  { phase: "Running", spec: undefined, limit: null },
])("counts $phase against its limit: $limit", ({ phase, spec, limit }) => {
  expect(describeRow({ phase }, {}, null, spec).limit).toEqual(limit);
});
