import { expect, it } from "vitest";
import type { RecordedMeasurement, RecordedMetric, RecordedRun } from "./replay-metric.ts";
import type { AnalysisPhase, AnalysisRunSpec, MetricSpec } from "./types.ts";
import { checkVerdict } from "./verdict-check.ts";

const prometheus = { prometheus: { query: "up" } };
const rate: MetricSpec = {
  name: "rate",
  interval: "1m",
  count: 3,
  failureLimit: 1,
  successCondition: "result[0] >= 0.95",
  provider: prometheus,
};

/** Builds measurements from words like `Successful [0.97]`; without a value, the word is only the phase. */
function measured(...words: string[]): RecordedMeasurement[] {
  return words.map((word, index) => {
    const [phase, value] = word.split(" ");
    return { seq: index + 1, phase: phase as AnalysisPhase, ...(value === undefined ? {} : { value }) };
  });
}

const none = { lost: 0, isInconsistent: false };

function metric(
  name: string,
  phase: AnalysisPhase | undefined,
  list: RecordedMeasurement[],
  more = {},
): RecordedMetric {
  const of = (wanted: string) => list.filter((each) => each.phase === wanted).length;
  const tail = list.length - list.findLastIndex((each) => each.phase !== "Error") - 1;
  const counters = {
    count: of("Successful") + of("Failed") + of("Inconclusive"),
    successful: of("Successful"),
    failed: of("Failed"),
    inconclusive: of("Inconclusive"),
    error: of("Error"),
    consecutiveError: tail,
  };
  return { name, ...(phase === undefined ? {} : { phase }), ...counters, measurements: list, ...none, ...more };
}

function run(phase: AnalysisPhase, spec: Partial<AnalysisRunSpec>, ...metrics: RecordedMetric[]): RecordedRun {
  return { spec: { metrics: [rate], ...spec }, phase, message: "", metrics };
}

const pass = "Successful [0.97]";
const miss = "Failed [0.9]";
const forced: Partial<AnalysisRunSpec> = { metrics: [{ ...rate, failureLimit: -1, consecutiveSuccessLimit: 1 }] };
const job: MetricSpec = { name: "rate", provider: { job: {} } };
const wavefront = { ...rate, count: 1, interval: "", failureLimit: 0, successCondition: "result >= 0.955" };
const secretArg = { name: "min", valueFrom: { secretKeyRef: { name: "s", key: "k" } } };

it.each<[string, RecordedRun, string, string[]]>([
  ["success", run("Successful", {}, metric("rate", "Successful", measured(pass, miss, pass))), "agrees", []],
  ["failure", run("Failed", {}, metric("rate", "Failed", measured(miss, miss))), "agrees", []],
  [
    "an argument in a condition",
    run(
      "Successful",
      { metrics: [{ ...rate, successCondition: "result[0] >= {{args.min}}" }], args: [{ name: "min", value: "0.5" }] },
      metric("rate", "Successful", measured("Successful [0.6]", pass, pass)),
    ),
    "agrees",
    [],
  ],
  [
    "one bad metric ends the run while a controller before 1.10 measures the other",
    run(
      "Failed",
      { metrics: [rate, { ...rate, name: "other", count: 9 }] },
      metric("rate", "Failed", measured(miss, miss)),
      metric("other", "Running", measured(pass)),
    ),
    "agrees",
    [],
  ],
  [
    "one bad metric ends the other",
    run(
      "Failed",
      { metrics: [rate, { ...rate, name: "other", count: 9 }] },
      metric("rate", "Failed", measured(miss, miss)),
      metric("other", "Successful", measured(pass)),
    ),
    "agrees",
    [],
  ],
  [
    "a metric that never began",
    run(
      "Failed",
      { metrics: [rate, { ...rate, name: "late", initialDelay: "1h" }] },
      metric("rate", "Failed", measured(miss, miss)),
      metric("late", undefined, []),
    ),
    "agrees",
    [],
  ],
  [
    "errors retried until the limit",
    run("Error", {}, metric("rate", "Error", measured("Error", "Error", "Error", "Error", "Error"))),
    "agrees",
    [],
  ],
  [
    "ended by terminate",
    run("Successful", { terminate: true }, metric("rate", "Successful", measured(pass))),
    "ended-early",
    [],
  ],
  [
    "ended by terminate before anything was measured",
    run("Successful", { terminate: true }, metric("rate", undefined, [])),
    "ended-early",
    ["flag nothing-measured"],
  ],
  [
    "terminate after the verdict was settled",
    run("Failed", { terminate: true }, metric("rate", "Failed", measured(miss, miss))),
    "agrees",
    [],
  ],
  [
    "a verdict that is not the one of its metric",
    run("Successful", {}, metric("rate", "Failed", measured(miss, miss))),
    "contradicts",
    ["contradiction run", "flag no-success"],
  ],
  [
    "a measurement judged otherwise",
    run("Successful", {}, metric("rate", "Successful", measured(pass, "Successful [0.9]", "Successful [0.9]"))),
    "contradicts",
    ["contradiction measurement 2", "contradiction measurement 3", "contradiction metric", "contradiction run"],
  ],
  [
    "NaN taken for a success",
    run("Successful", {}, metric("rate", "Successful", measured(pass, pass, "Successful [NaN]"))),
    "contradicts",
    ["contradiction measurement 3"],
  ],
  [
    "counters that nobody counted",
    run("Successful", {}, metric("rate", "Successful", measured(pass, pass, pass), { successful: 2, failed: 1 })),
    "contradicts",
    ["contradiction counters"],
  ],
  [
    "measured on after the verdict",
    run("Failed", {}, metric("rate", "Failed", measured(miss, miss, pass))),
    "contradicts",
    ["contradiction went-on 2"],
  ],
  [
    "ended before it was done",
    run("Successful", {}, metric("rate", "Successful", measured(pass))),
    "contradicts",
    ["contradiction metric", "contradiction run"],
  ],
  [
    "a gap",
    run(
      "Successful",
      {},
      metric(
        "rate",
        "Successful",
        measured(pass, pass).map((each) => ({ ...each, seq: each.seq + 1 })),
        { count: 3, successful: 3, lost: 1 },
      ),
    ),
    "undecided",
    ["undecided gap"],
  ],
  [
    "counters that contradict the verdict in spite of a gap",
    run(
      "Successful",
      {},
      metric(
        "rate",
        "Successful",
        measured(pass).map((each) => ({ ...each, seq: 3 })),
        { count: 3, failed: 2, lost: 2 },
      ),
    ),
    "contradicts",
    ["undecided gap", "contradiction metric", "contradiction run"],
  ],
  [
    "everything past its time",
    run("Failed", {}, metric("rate", "Failed", [], { count: 2, failed: 2 })),
    "undecided",
    ["undecided gap"],
  ],
  [
    "numbers out of order",
    run(
      "Successful",
      {},
      metric("rate", "Successful", measured(pass, pass, pass, pass), { count: 3, isInconsistent: true }),
    ),
    "undecided",
    ["undecided order"],
  ],
  [
    "one that was taken again, where the others make up the counters",
    run("Successful", {}, metric("rate", "Successful", measured(pass, pass, pass), { takenAgain: 1 })),
    "agrees",
    [],
  ],
  [
    "one that was taken again, where the others do not make up the counters",
    run(
      "Successful",
      {},
      metric("rate", "Successful", measured(pass, pass, pass), { successful: 2, failed: 1, takenAgain: 1 }),
    ),
    "undecided",
    ["undecided order"],
  ],
  [
    "no value",
    run("Successful", {}, metric("rate", "Successful", measured("Successful", pass, pass))),
    "undecided",
    ["undecided value 1"],
  ],
  [
    "an escaped value",
    run(
      "Successful",
      {},
      metric(
        "rate",
        "Successful",
        measured(pass, pass, pass).map((each) => ({ ...each, isAltered: each.seq === 2 })),
      ),
    ),
    "undecided",
    ["undecided value 2"],
  ],
  [
    "a rounded value",
    run(
      "Successful",
      { metrics: [{ ...wavefront, provider: { wavefront: {} } }] },
      metric("rate", "Successful", measured("Successful 0.95")),
    ),
    "undecided",
    ["undecided value 1"],
  ],
  [
    "an expression beyond the budget",
    run(
      "Successful",
      { metrics: [{ ...rate, count: 1, failureLimit: 0, successCondition: "all(1..900000, # > 0)" }] },
      metric("rate", "Successful", measured(pass)),
    ),
    "undecided",
    ["undecided expression 1"],
  ],
  [
    "a condition for results of another type, as older controllers gave them",
    run(
      "Failed",
      { metrics: [{ name: "rate", interval: "5s", successCondition: 'result == "true"', provider: { web: {} } }] },
      metric("rate", "Failed", measured("Failed false")),
    ),
    "undecided",
    ["undecided expression 1"],
  ],
  [
    "a secret in the rules",
    run(
      "Successful",
      { metrics: [{ ...rate, successCondition: "result[0] >= {{args.min}}" }], args: [secretArg] },
      metric("rate", "Successful", measured(pass, pass, pass)),
    ),
    "undecided",
    ["undecided secret"],
  ],
  [
    "a job",
    run("Successful", { metrics: [job] }, metric("rate", "Successful", measured("Successful"))),
    "undecided",
    ["undecided provider"],
  ],
  [
    "a job's verdict against its outcome",
    run("Successful", { metrics: [job] }, metric("rate", "Successful", measured("Failed"))),
    "contradicts",
    ["undecided provider", "contradiction metric", "contradiction run", "flag no-success"],
  ],
  [
    "ended by an argument that could not be resolved",
    { ...run("Error", {}, metric("rate", undefined, [])), message: "Unable to resolve metric arguments: secret gone" },
    "undecided",
    ["undecided spec"],
  ],
  ["rules that are refused", run("Error", { metrics: [{ ...rate, provider: {} }] }), "agrees", []],
  ["refused rules and a success", run("Successful", { metrics: [] }), "undecided", ["undecided spec"]],
  [
    "success without any",
    run("Successful", forced, metric("rate", "Successful", measured(miss, miss, miss))),
    "contradicts",
    ["contradiction metric", "contradiction run", "flag no-success"],
  ],
  [
    "ended early with failures only",
    run("Successful", { terminate: true }, metric("rate", "Successful", measured(miss))),
    "ended-early",
    ["flag no-success"],
  ],
  [
    "a dry run is ignored",
    run(
      "Successful",
      { metrics: [rate, { ...rate, name: "dry" }], dryRun: [{ metricName: "dry" }] },
      metric("rate", "Successful", measured(pass, pass, pass)),
      metric("dry", "Failed", measured(miss, "Failed [0.99]"), { dryRun: true }),
    ),
    "agrees",
    [],
  ],
  [
    "nothing but dry runs",
    run(
      "Successful",
      { dryRun: [{ metricName: ".*" }] },
      metric("rate", "Failed", measured(miss, miss), { dryRun: true }),
    ),
    "agrees",
    ["flag nothing-measured"],
  ],
])("%s", (_, recorded, state, findings) => {
  const check = checkVerdict(recorded);
  const found = check.findings.map(({ kind, rule, seq }) =>
    [kind, rule, seq].filter((part) => part !== undefined).join(" "),
  );
  expect(found).toEqual(findings);
  expect(check.state).toBe(state);
});

it("says in words what does not fit", () => {
  const list = measured(pass, pass, "Successful [0.9]");
  expect(checkVerdict(run("Successful", {}, metric("rate", "Successful", list))).findings).toEqual([
    {
      kind: "contradiction",
      rule: "measurement",
      metric: "rate",
      seq: 3,
      text: "No. 3 is recorded as Successful, but the rules give Failed: 0.9 is not ≥ 0.95, so it fails.",
    },
  ]);
});

it("names the result that the measurements give the metric and the run", () => {
  const check = checkVerdict(run("Successful", {}, metric("rate", "Successful", measured(miss, miss))));
  expect(check.findings.flatMap(({ rule, phase }) => (phase === undefined ? [] : [`${rule} ${phase}`]))).toEqual([
    "metric Failed",
    "run Failed",
  ]);
  expect(check.findings.find(({ rule }) => rule === "metric")?.text).toBe(
    "2 of 2 rate measurements failed (1 allowed); recorded as Successful.",
  );
});

it("cuts many findings of a kind short", () => {
  const spec = { metrics: [{ ...rate, count: 50, failureLimit: 50 }] };
  const list = measured(...Array.from({ length: 50 }, () => "Successful [0.1]"));
  const { findings } = checkVerdict(run("Successful", spec, metric("rate", "Successful", list)));
  expect(findings.filter(({ rule }) => rule === "measurement")).toHaveLength(5);
  expect(findings[4]?.text).toMatch(/And 45 more like it\.$/);
});

const listed = { ...rate, count: 1, interval: "", failureLimit: 0, successCondition: "result == [1]" };

function ofLanguage(phase: "Successful" | "Failed", language?: RecordedRun["language"]): RecordedRun {
  const own = run(phase, { metrics: [listed] }, metric("rate", phase, measured(`${phase} [1]`)));
  return language === undefined ? own : { ...own, language };
}

it.each<[string, RecordedRun, string]>([
  ["before 1.10", ofLanguage("Failed", "1.15.5"), "agrees"],
  ["from 1.10 on", ofLanguage("Successful", "1.17.7"), "agrees"],
  ["from 1.10 on, with the older result", ofLanguage("Failed", "1.17.7"), "contradicts"],
  ["of a version that is not recorded", ofLanguage("Failed"), "undecided"],
  ["of a version that is not recorded, with the newer result", ofLanguage("Successful"), "undecided"],
])("judges a run of a controller %s", (_, recorded, state) => {
  expect(checkVerdict(recorded).state).toBe(state);
});

it("names the languages that judge a value differently", () => {
  expect(checkVerdict(ofLanguage("Failed")).findings.map(({ text }) => text)).toEqual([
    "No. 1 cannot be evaluated again: it is Failed in Argo Rollouts before 1.10 (expr 1.15.5), Successful in Argo Rollouts from 1.10 on (expr 1.17.7), and the version is not known.",
  ]);
});
