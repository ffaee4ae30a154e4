import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ConformanceCase, loadCases } from "#test/fixtures/conformance/load-cases.ts";

/**
 * Groups of the cases file that belong to the engine. The tests in this folder and those of the expression language run
 * them.
 */
const engineGroups = [
  ..."evaluateResult evalCondition helperFunction evalTime providerMeasurement observedCondition".split(" "),
  ..."metricAssessment metricFailureReason runAssessment runReconcile phaseOrder isTerminating".split(" "),
  ..."measurementSchedule nextReconcile ttl measurementTrim analysisRunGC".split(" "),
  ..."flattenTemplates newRunFromTemplates mergeArgs uniqueTemplates validateMetrics metricNameRules".split(" "),
  ..."resolveMetricArgs resolveTemplate resolveExperimentArg resolveSecretArgs".split(" "),
  ..."fieldRefFromRollout buildRolloutArgs".split(" "),
];

/** Groups about Rollouts, which lib/domain/argo runs. */
const rolloutGroups = [
  ..."rolloutPhase generationObserved workloadGenerationObserved fullyPromoted canaryStepText".split(" "),
  ..."rolloutView rolloutListRow promotePatch".split(" "),
];

/**
 * Groups that need no code here: Gatehouse reads a controller's measurements and does not query metrics servers itself.
 */
const groupsWithoutCode: Readonly<Record<string, string>> = {
  asyncProvider: "resuming and ending a provider's Job is the controller's",
  webRequest: "the request that a web metric sends is the controller's",
  wavefrontPointSelection: "which point of a Wavefront series counts is decided before anything is recorded",
};

/** Cases that end before there is a result: only code that talks to the provider can produce their text. */
const casesWithoutResult: Readonly<Record<string, string>> = {
  "providerMeasurement-004": "the end of a Prometheus range cannot be parsed",
  "providerMeasurement-005": "the step of a Prometheus range cannot be parsed",
  "providerMeasurement-007": "Prometheus refuses the query",
  "providerMeasurement-008": "Prometheus answers with a type that is not supported",
  "providerMeasurement-016": "Prometheus answers with a type that is not supported",
  "providerMeasurement-035": "the web server answers 300",
  "providerMeasurement-036": "the URL has no scheme",
  "providerMeasurement-041": "the JSON path finds nothing in the body",
  "providerMeasurement-047": "Datadog answers 400",
  "providerMeasurement-054": "Datadog's body cannot be parsed",
  "providerMeasurement-057": "Datadog answers 400",
  "providerMeasurement-058": "Datadog answers 401",
  "providerMeasurement-070": "Datadog reports errors in the query",
  "providerMeasurement-072": "a value in Datadog's column is no number",
  "providerMeasurement-077": "New Relic's row is empty",
  "providerMeasurement-078": "New Relic refuses the query",
  "providerMeasurement-079": "New Relic answers without rows",
  "providerMeasurement-087": "InfluxDB answers without values",
  "providerMeasurement-088": "InfluxDB answers without a table",
  "providerMeasurement-091": "Wavefront answers without a series",
};

function fixtureOf(group: string): string {
  return `analysis-${group.replace("GC", "Gc").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

const tests = [import.meta.dirname, join(import.meta.dirname, "../../../expr")].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(folder, file), "utf8")),
);

describe("a test here runs every case of", () => {
  it.each(engineGroups.filter((group) => group !== "providerMeasurement"))("%s", (group) => {
    const name = fixtureOf(group);
    const whole = new RegExp(`it\\.each\\(loadCases<\\w+>\\("${name}"\\)\\)|^const resultCases = \\[.*"${name}"`, "m");
    expect(tests.filter((text) => whole.test(text))).toHaveLength(1);
  });

  it("providerMeasurement that has a result; the others are named", () => {
    const cases = loadCases<ConformanceCase & { result?: unknown }>("analysis-provider-measurement");
    const without = cases.filter(({ result }) => result === undefined).map(({ id }) => id);
    expect(without).toEqual(Object.keys(casesWithoutResult));
  });
});

type CasesFile = { readonly groups: Readonly<Record<string, readonly ConformanceCase[]>> };
const upstream = join(import.meta.dirname, "../../../../../shared/conformance/analysis-cases.json");

/** The file is next to the checkout on development machines, and nowhere else. */
describe.runIf(existsSync(upstream))("the cases file", () => {
  const { groups } = existsSync(upstream) ? (JSON.parse(readFileSync(upstream, "utf8")) as CasesFile) : { groups: {} };

  it("has no group that nobody answers for", () => {
    const known = [...engineGroups, ...rolloutGroups, ...Object.keys(groupsWithoutCode)];
    expect(Object.keys(groups).sort()).toEqual(known.sort());
  });

  it.each(engineGroups)("has the same cases of %s as the fixture", (group) => {
    expect(loadCases(fixtureOf(group))).toEqual(groups[group]);
  });
});
