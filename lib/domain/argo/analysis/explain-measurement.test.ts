import { expect, it } from "vitest";
import { createMeasurementExplainer } from "./explain-measurement.ts";
import type { Measurement, MetricSpec } from "./types.ts";

const both = { successCondition: "result[0] >= 0.95", failureCondition: "result[0] < 0.90" };
const pass = { successCondition: "result[0] >= 0.95" };
const fail = { failureCondition: "result[0] < 0.90" };

it.each<[string, Partial<MetricSpec>, Measurement, string]>([
  ["passes", both, { phase: "Successful", value: "[0.9712]" }, "0.9712 ≥ 0.95, so it passes."],
  [
    "a condition that the versions of the controller evaluate differently",
    { successCondition: "result == [1]" },
    { phase: "Failed", value: "[1]" },
    "Recorded as Failed. Its conditions cannot be evaluated again: it is Failed in Argo Rollouts before 1.10 (expr 1.15.5), Successful in Argo Rollouts from 1.10 on (expr 1.17.7), and the version is not known.",
  ],
  ["at the limit", both, { phase: "Successful", value: "[0.95]" }, "0.95 ≥ 0.95, so it passes."],
  ["fails", both, { phase: "Failed", value: "[0.85]" }, "0.85 < 0.90, so it fails."],
  ["fails for no pass", pass, { phase: "Failed", value: "[0.93]" }, "0.93 is not ≥ 0.95, so it fails."],
  ["neither", both, { phase: "Inconclusive", value: "[0.93]" }, "0.93 neither passes (≥ 0.95) nor fails (< 0.90)."],
  [
    "NaN with both conditions",
    both,
    { phase: "Inconclusive", value: "[NaN]" },
    "NaN compares false: it neither passes (≥ 0.95) nor fails (< 0.90).",
  ],
  [
    "NaN with a success condition",
    pass,
    { phase: "Failed", value: "[NaN]" },
    "NaN compares false: NaN is not ≥ 0.95, so it fails.",
  ],
  [
    "NaN with a failure condition",
    fail,
    { phase: "Successful", value: "[NaN]" },
    "NaN compares false: NaN is not < 0.90, so it passes.",
  ],
  [
    "several comparisons",
    { successCondition: "result[0] >= 0.95 && result[0] < 1.5" },
    { phase: "Successful", value: "[1]" },
    '"result[0] >= 0.95 && result[0] < 1.5" holds (result[0] is 1), so it passes.',
  ],
  [
    "no comparison with a number",
    { successCondition: "all(result, # > 0.9)" },
    { phase: "Failed", value: "[0.8]" },
    '"all(result, # > 0.9)" does not hold, so it fails.',
  ],
  ["no condition", {}, { phase: "Successful", value: "[7]" }, "There is no condition: any result passes."],
  [
    "a value that is not kept",
    pass,
    { phase: "Successful" },
    "Recorded as Successful. Its conditions cannot be evaluated again: the measurement has no value.",
  ],
  [
    "another phase than the rules give",
    pass,
    { phase: "Successful", value: "[0.93]" },
    "Recorded as Successful, but its conditions give Failed: 0.93 is not ≥ 0.95, so it fails.",
  ],
  [
    "an empty list that was judged",
    pass,
    { phase: "Failed", value: "[]" },
    'Recorded as Failed, but its conditions give Error: could not evaluate successCondition "result[0] >= 0.95": metric result is nil or empty: no data returned from the metric provider.',
  ],
  ["an error", pass, { phase: "Error", message: "no route" }, "It could not be taken or judged: no route"],
  ["in flight", pass, { phase: "Running" }, "The measurement is not finished."],
  [
    "a job that failed",
    { provider: { job: {} } },
    { phase: "Failed" },
    "A Job decides by its exit status: it reported a failure.",
  ],
  [
    "a job with a condition, which no controller evaluates",
    { provider: { job: {} }, successCondition: "result == true" },
    { phase: "Successful" },
    "A Job decides by its exit status: it reported a success.",
  ],
  [
    "kayenta",
    { provider: { kayenta: {} } },
    { phase: "Inconclusive" },
    "Kayenta decides by its own judge: it gave no clear result.",
  ],
  [
    "a plugin with a condition that its value does not meet",
    { provider: { plugin: { "some/plugin": {} } }, successCondition: "result.x > 1" },
    { phase: "Successful", value: '{"x":0}' },
    "The plugin decides by itself: it reported a success.",
  ],
  [
    "a job that was cut off",
    { provider: { job: {} } },
    { phase: "Successful", message: "Metric Terminated" },
    "It was ended before it had a result; the controller recorded it as Successful.",
  ],
  [
    "one that an old controller cut off",
    pass,
    { phase: "Inconclusive", message: "metric terminated" },
    "It was ended before it had a result; the controller recorded it as Inconclusive.",
  ],
  [
    "a body that is not JSON",
    { provider: { web: {} }, successCondition: "result.ok == true" },
    { phase: "Successful", value: "<html>" },
    "The body is not JSON: the controller accepted it without evaluating a condition.",
  ],
  [
    "an empty body",
    { provider: { web: {} }, successCondition: "result.ok == true" },
    { phase: "Successful", value: "" },
    "The body is not JSON: the controller accepted it without evaluating a condition.",
  ],
  [
    "a text within JSON",
    { provider: { web: { jsonPath: "{$.state}" } }, successCondition: 'result == "ok"' },
    { phase: "Successful", value: "ok" },
    '"result == "ok"" holds, so it passes.',
  ],
  [
    "a provider that rounds",
    { ...pass, provider: { wavefront: {} }, successCondition: "result >= 0.955" },
    { phase: "Successful", value: "0.95" },
    "Recorded as Successful; the recorded value is too coarse to show why, or the condition uses the time.",
  ],
])("%s", (_, metric, measurement, text) => {
  const explain = createMeasurementExplainer({ name: "m", provider: { prometheus: {} }, ...metric });
  expect(explain(measurement)).toBe(text);
});

it("writes a ratio and its limits in percent, but no length", () => {
  const between = createMeasurementExplainer(
    {
      name: "m",
      provider: { prometheus: {} },
      successCondition: "result[0] >= 0.95",
      failureCondition: "result[0] < 0.9",
    },
    "ratio",
  );
  expect(between({ phase: "Inconclusive", value: "[0.927]" })).toBe(
    "92.7 % neither passes (≥ 95 %) nor fails (< 90 %).",
  );
  const counted = createMeasurementExplainer(
    { name: "m", provider: { prometheus: {} }, successCondition: "len(result) > 0" },
    "ratio",
  );
  expect(counted({ phase: "Successful", value: "[0.927]" })).toBe("1 > 0, so it passes.");
});
