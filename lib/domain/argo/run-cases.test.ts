import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readCase } from "#test/fixtures/cases/read-case.ts";
import { createMeasurementExplainer } from "./analysis/explain-measurement.ts";
import { createMeasurementJudge } from "./analysis/judge-measurement.ts";
import { analysisPhases, type MetricSpec } from "./analysis/types.ts";
import { checkVerdict } from "./analysis/verdict-check.ts";
import { argoExplaining } from "./explaining.ts";
import { parseRunSpec } from "./objects/analysis-run-object.ts";

const Phase = z.enum(analysisPhases);
const Measured = z.object({ phase: Phase, value: z.string().optional(), message: z.string().optional() });
const Case = z.object({
  spec: z.unknown(),
  status: z.object({
    phase: Phase,
    message: z.string(),
    metricResults: z.array(
      z.looseObject({
        name: z.string(),
        phase: Phase,
        message: z.string().default(""),
        count: z.number(),
        successful: z.number().default(0),
        failed: z.number().default(0),
        measurements: z.array(Measured),
      }),
    ),
  }),
});

function readRun(name: string) {
  const { spec, status } = Case.parse(JSON.parse(readCase(name)));
  const { phase, message, metricResults: metrics } = status;
  const described = argoExplaining.describeRun({ rules: spec, metrics, phase, message, rollout: undefined });
  return { spec, phase, message, metrics, described };
}

it("reads limits that come from arguments (argo-rollouts#825, #1358, #3243)", () => {
  const { spec, described } = readRun("03-limits-from-args/run.json");
  const rules = argoExplaining.readSpec(spec);
  expect(described.explanation).toBe("2 of 3 errors measurements failed (1 allowed).");
  expect(rules.metrics.get("errors")).toMatchObject({
    count: "5",
    interval: "1m",
    failureLimit: "1",
    successCondition: "result[0] < 0.05",
  });
  expect(JSON.stringify([described, ...rules.metrics.values()])).not.toContain("{{");
});

describe("a measurement that was ended before it had a result (argo-rollouts#1329)", () => {
  const { spec, described, ...run } = readRun("11-cut-off-measurement/run.json");

  it("is no success", () => {
    expect(described.explanation).toBe(
      "No measurement was successful, but no limit was exceeded until the run was stopped, so the run counts as Successful.",
    );
    expect(described.metrics.get("smoke")?.explanation).toBe(
      "smoke was ended before its only measurement had a result; the controller recorded it as Successful.",
    );
  });

  it("makes a success that is found", () => {
    const parsed = parseRunSpec(spec);
    if (parsed === undefined) throw new Error("the spec is unreadable");
    const metrics = run.metrics.map(({ measurements, ...counted }) => ({
      ...counted,
      measurements: measurements.map((one, index) => ({ ...one, seq: index + 1 })),
      lost: 0,
      isInconsistent: false,
    }));
    const check = checkVerdict({ ...run, spec: parsed, metrics });
    expect(check).toEqual({
      state: "ended-early",
      findings: [
        {
          kind: "flag",
          rule: "no-success",
          metric: "smoke",
          text: "Successful, although none of 1 measurements was: 1 ended before a result.",
        },
      ],
    });
  });
});

it("says that a condition holds only if it was evaluated on the value and is true", () => {
  const providers = ["prometheus", "web", "job", "kayenta", "plugin", "newRelic", "influxdb", "cloudWatch", "datadog"];
  const condition = fc.constantFrom(
    "",
    "result > 1",
    "result[0] > 1",
    "result.x > 1",
    "len(result) > 0",
    "result == nil",
  );
  const value = fc.constantFrom("", "2", "[2]", "[]", '{"x":0}', "<html>", "[null]", "NaN", "[[1 2]]", '"text"');
  const measured = fc.record({
    phase: fc.constantFrom(...analysisPhases),
    value,
    message: fc.constantFrom("", "Metric Terminated", "no route"),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...providers),
      condition,
      condition,
      measured,
      (name, success, failure, measurement) => {
        const metric: MetricSpec = {
          name: "m",
          provider: { [name]: {} },
          successCondition: success,
          failureCondition: failure,
        };
        const text = createMeasurementExplainer(metric)(measurement);
        const judgement = createMeasurementJudge(metric)(measurement);
        const claims = / holds| passes| fails|compares/.test(text) && !text.includes("any result passes");
        if (claims) expect(judgement.state, text).toBe("judged");
      },
    ),
    { numRuns: 5000, seed: 20261127 },
  );
});

describe("the order of an object's entries, which Go does not have", () => {
  const metric: MetricSpec = { name: "m", successCondition: "values(result)[0] < 1", provider: { web: {} } };
  const judge = createMeasurementJudge(metric);

  it("is undecided where it decides", () => {
    const judged = judge({ phase: "Failed", value: '{"a":0.5,"b":7}' });
    expect(judged).toMatchObject({ state: "undecided", rule: "expression" });
  });

  it("does not matter where every order gives the same", () => {
    expect(judge({ phase: "Failed", value: '{"a":0.5,"b":0.7,"c":0.1}' })).toMatchObject({ phase: "Successful" });
    const all = createMeasurementJudge({ ...metric, successCondition: "all(values(result), # < 1)" });
    expect(all({ phase: "Successful", value: '{"a":0.5,"b":7}' })).toMatchObject({ state: "judged", phase: "Failed" });
  });
});

describe("a value that its provider rounds", () => {
  const judge = createMeasurementJudge({ name: "m", successCondition: "result[0] < 5", provider: { graphite: {} } });

  it("is sure as far as its rounding cannot matter", () => {
    expect(judge({ phase: "Successful", value: "[12.000000]" })).toMatchObject({ phase: "Failed", isSure: true });
    expect(judge({ phase: "Failed", value: "[4.999999]" })).toMatchObject({ phase: "Successful", isSure: true });
    expect(judge({ phase: "Successful", value: "[5.000000]" })).toMatchObject({ phase: "Failed", isSure: false });
  });

  it("contradicts a verdict that is far from it", () => {
    const explain = createMeasurementExplainer({
      name: "m",
      successCondition: "result[0] < 5",
      provider: { graphite: {} },
    });
    expect(explain({ phase: "Successful", value: "[12.000000]" })).toBe(
      "Recorded as Successful, but its conditions give Failed: 12 is not < 5, so it fails.",
    );
  });
});
