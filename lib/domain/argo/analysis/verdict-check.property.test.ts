import fc from "fast-check";
import { expect, it } from "vitest";
import { evaluateResult } from "./evaluate-result.ts";
import { isCompleted } from "./phase.ts";
import { type Measure, reconcileRun } from "./reconcile-run.ts";
import type { AnalysisRunSpec, AnalysisRunStatus, Measurement, MetricSpec } from "./types.ts";
import { checkVerdict } from "./verdict-check.ts";
import type { RecordedRun } from "./verdict-check-types.ts";

const condition = (operator: string) =>
  fc.option(
    fc.constantFrom(0, 0.25, 0.5, 0.75, 1).map((limit) => `result[0] ${operator} ${limit}`),
    { nil: undefined },
  );
const limit = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });

const metricRules = fc.record({
  initialDelay: fc.constantFrom("", "90s"),
  count: fc.integer({ min: 4, max: 12 }),
  failureLimit: fc.option(fc.integer({ min: -1, max: 2 }), { nil: undefined }),
  inconclusiveLimit: limit,
  consecutiveErrorLimit: limit,
  consecutiveSuccessLimit: fc.integer({ min: 1, max: 2 }),
  successCondition: condition(">="),
  failureCondition: condition("<"),
});

const answer = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom("[0]", "[0.25]", "[0.4]", "[0.5]", "[0.75]", "[1]") },
  { weight: 1, arbitrary: fc.constantFrom("[NaN]", "[]", "[0.5,NaN]") },
  { weight: 1, arbitrary: fc.constant("down") },
);

const plan = fc.record({
  metrics: fc.array(metricRules, { minLength: 1, maxLength: 3 }),
  dryRun: fc.option(fc.constantFrom("^m0$", ".*"), { nil: undefined }),
  /** The reconcile at which someone ends the run. */
  terminateAt: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
  answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
});

type Plan = typeof plan extends fc.Arbitrary<infer Value> ? Value : never;

function specOf({ metrics, dryRun }: Plan): AnalysisRunSpec {
  return {
    metrics: metrics.map(
      (rules, index): MetricSpec => ({ ...rules, name: `m${index}`, interval: "60s", provider: { prometheus: {} } }),
    ),
    ...(dryRun === undefined ? {} : { dryRun: [{ metricName: dryRun }] }),
  };
}

function judge({ successCondition, failureCondition }: MetricSpec, text: string, startedAt: string): Measurement {
  if (text === "down") return { phase: "Error", message: "connection refused", startedAt };
  const value =
    text === "[]"
      ? []
      : text
          .slice(1, -1)
          .split(",")
          .map((each) => (each === "NaN" ? each : Number(each)));
  const result = { type: "[]float64" as const, value };
  const { phase, message } = evaluateResult({ result, successCondition, failureCondition });
  return { phase, message, startedAt, ...(phase === "Error" ? {} : { value: text }) };
}

/** Plays a run to its end as the controller does, keeping every measurement as the recorder does. */
function play(given: Plan): RecordedRun {
  let spec = specOf(given);
  let status: AnalysisRunStatus = {};
  let now = Date.parse("2026-01-01T00:00:00Z");
  let taken = 0;
  const kept = new Map<string, Measurement[]>(spec.metrics.map(({ name }) => [name, []]));
  const measure: Measure = ({ metric }) => {
    const text = given.answers[taken++ % given.answers.length] ?? "down";
    const measurement = judge(metric, text, new Date(now).toISOString());
    kept.get(metric.name)?.push(measurement);
    return measurement;
  };
  for (let round = 0; !isCompleted(status.phase) && round < 500; round++) {
    if (round === given.terminateAt) spec = { ...spec, terminate: true };
    ({ status } = reconcileRun({ spec, status, now, measure }));
    now += 61_000;
  }
  return {
    spec,
    phase: status.phase ?? "Pending",
    message: status.message ?? "",
    metrics: spec.metrics.map(({ name }) => {
      const result = status.metricResults?.find((each) => each.name === name) ?? { name };
      const measurements = (kept.get(name) ?? []).map((each, index) => ({ ...each, seq: index + 1 }));
      return { ...result, measurements, lost: 0, isInconsistent: false };
    }),
  };
}

it("what the engine did always agrees with its rules, or was ended early", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(plan, (given) => {
      const run = play(given);
      expect(isCompleted(run.phase)).toBe(true);
      const { state, findings } = checkVerdict(run);
      seen.add(`${state} ${run.phase}`);
      expect(findings.filter(({ kind }) => kind !== "flag")).toEqual([]);
      expect(state === "agrees" || (state === "ended-early" && run.spec.terminate === true)).toBe(true);
    }),
    { numRuns: 500 },
  );
  // The generator must reach every verdict, or the property would prove little.
  expect([...seen].map((each) => each.split(" ")[1])).toEqual(
    expect.arrayContaining(["Successful", "Failed", "Error", "Inconclusive"]),
  );
  expect([...seen]).toContain("ended-early Successful");
});

it("a verdict that was turned around never agrees", () => {
  fc.assert(
    fc.property(plan, fc.constantFrom("Successful", "Failed", "Error", "Inconclusive"), (given, phase) => {
      const run = play(given);
      fc.pre(run.phase !== phase && run.metrics.some(({ measurements }) => measurements.length > 0));
      expect(checkVerdict({ ...run, phase }).state).toBe("contradicts");
    }),
    { numRuns: 200 },
  );
});
