import { describe, expect, it } from "vitest";
import { readCase } from "#test/fixtures/cases/read-case.ts";
import { lintTemplate } from "./lint-template.ts";
import { YamlPlaces } from "./yaml-places.ts";

function lint(source: string): string[] {
  return lintTemplate(source).problems.map(
    ({ severity, from, text }) => `${severity} ${from.line}:${from.column} ${text}`,
  );
}

function withMetric(fields: string): string {
  return `metrics:\n- {name: a, successCondition: "result[0] > 1", provider: {prometheus: {query: up}}, ${fields}}\n`;
}

describe("tags that are no arguments (argo-rollouts utils/template/template.go)", () => {
  it("are found wherever the metric has them", () => {
    expect(lint(readCase("08-lint-foreign-tags/template.yaml"))).toEqual([
      "error 7:43 Every {{...}} must be an argument: failed to resolve {{ end }}",
    ]);
  });

  it.each([
    ["{{inputs.x}}", "Every {{...}} must be an argument: failed to resolve {{inputs.x}}"],
    ["{{ .Values.x }}", "Every {{...}} must be an argument: failed to resolve {{ .Values.x }}"],
    ["{{args.}}", "Every {{...}} must be an argument: failed to resolve {{args.}}"],
    ["{{ a < b }}", "Every {{...}} must be an argument: failed to resolve {{ a \\u003c b }}"],
    ["{{ args.none }}", "Argument none is not declared in args: failed to resolve {{ args.none }}"],
    ["{{ to the end of JSON", expect.stringContaining('failed to resolve {{ to the end of JSON","provider":{"web"')],
  ])("%s", (tag, text) => {
    const source = `metrics:\n- {name: a, interval: "${tag}", provider: {web: {url: x}}}\n`;
    const found = lintTemplate(source).problems.map((problem) => problem.text);
    expect(found).toEqual([text]);
  });

  it("are not those of arguments", () => {
    expect(lint(`args: [{name: x}]\n${withMetric('interval: "{{ args.x }}"')}`)).toEqual([]);
  });
});

describe("rules without effect (argo-rollouts utils/analysis/helpers.go, factory.go)", () => {
  it.each([
    [
      "09-lint-rules-without-effect/a.yaml",
      ["error 1:23 Analysis spec invalid: dryRun[0]: Rule didn't match any metric name(s). '*': "],
    ],
    [
      "09-lint-rules-without-effect/b.yaml",
      ["error 1:68 two Measurement Retention metric rules have the same name '.*'"],
    ],
    ["09-lint-rules-without-effect/c.yaml", ["error 1:10 Analysis spec invalid: no metrics specified"]],
    [
      "09-lint-rules-without-effect/d.yaml",
      [
        'warning 2:35 The controller reads count "five" as 0: the metric is measured without end.',
        'warning 2:55 The controller reads failureLimit "1.5" as 0.',
      ],
    ],
    [
      "09-lint-rules-without-effect/e.yaml",
      ["warning 2:35 The controller reads count -5 as 1: the metric is measured once."],
    ],
  ])("%s", (file, problems) => {
    const found = lint(readCase(file));
    expect(found).toHaveLength(problems.length);
    for (const [index, text] of problems.entries()) expect(found[index]).toContain(text);
  });

  it.each([
    [
      "a rule that matches no metric",
      "dryRun: [{metricName: 'b.*'}]",
      "dryRun[0]: Rule didn't match any metric name(s)",
    ],
    [
      "the second of two rules",
      "measurementRetention: [{metricName: a, limit: 1}, {metricName: b, limit: 1}]",
      "measurementRetention[1]: Rule didn't match any metric name(s)",
    ],
  ])("%s", (_, rules, error) => {
    expect(lint(`${rules}\n${withMetric("count: 1")}`)).toEqual([expect.stringContaining(error)]);
  });

  it("leaves a rule alone that may match a metric of another template", () => {
    const templates = "templates: [{templateName: other}]";
    expect(lint(`dryRun: [{metricName: b}]\n${templates}\n${withMetric("count: 1")}`)).toEqual([]);
  });

  it("has two values of one argument, and two sources of one", () => {
    const args = 'args: [{name: x, value: "1"}, {name: x, value: "2"}, {name: z, value: "1", valueFrom: {}}]';
    expect(lint(`${args}\n${withMetric("count: 1")}`)).toEqual([
      "error 1:7 Argument `x` specified multiple times with different values: '1', '2'",
      "error 1:54 arg 'z' has both Value and ValueFrom fields",
    ]);
  });

  it.each([
    ['count: ""', 'The controller reads count "" as 0: the metric is measured once.'],
    ['failureLimit: "4294967297"', 'The controller reads failureLimit "4294967297" as 1.'],
  ])("%s", (field, text) => {
    expect(lintTemplate(withMetric(field)).problems.map((problem) => problem.text)).toContain(text);
  });

  it("refuses a number that the controller cannot decode", () => {
    expect(lint(withMetric("count: 4294967297"))).toEqual([expect.stringContaining("error 2:")]);
  });
});

describe("YAML as kubectl reads it (sigs.k8s.io/yaml)", () => {
  it("expands merge keys", () => {
    const { problems, template } = lintTemplate(readCase("10-lint-yaml-as-kubectl-reads-it/a.yaml"));
    expect(problems).toEqual([]);
    expect(template?.spec).toMatchObject({ metrics: [{ name: "a" }, { name: "b", interval: "30s", count: 3 }] });
  });

  it("drops fields that are null", () => {
    expect(lint(readCase("10-lint-yaml-as-kubectl-reads-it/b.yaml"))).toEqual([
      "warning 2:9 It can never fail. It has no condition, so every value counts as good.",
    ]);
  });

  it.each(["yes", "on", "no", "off", "y", "n", "NO"])("reads %s as a boolean", (word) => {
    const source = readCase("10-lint-yaml-as-kubectl-reads-it/c.yaml").replace("yes", word);
    expect(lint(source)).toEqual([
      "error 2:23 value: Invalid input: expected string, received boolean. Put it into quotes.",
    ]);
  });

  it("reads base 8", () => {
    expect(lint(readCase("10-lint-yaml-as-kubectl-reads-it/d.yaml"))).toEqual([
      "error 4:10 count (8) must be >= failureLimit + consecutiveSuccessLimit (9 + 0) if both >= 0",
    ]);
  });

  it("says what to do with several documents", () => {
    expect(lint("metrics: []\n---\nmetrics: []\n")).toEqual([
      "error 2:1 The text has several documents, divided by ---. Keep one: each template is edited by itself.",
    ]);
  });

  // The answers are those of sigs.k8s.io/yaml 1.6.0.
  it.each(JSON.parse(readCase("10-lint-yaml-as-kubectl-reads-it/scalars.json")) as [string, string][])(
    "%s is %s",
    (text, json) => {
      expect(new YamlPlaces(`a: ${text}`).readContent()).toEqual(withoutNull(JSON.parse(json)));
    },
  );
});

function withoutNull(value: { a: unknown }): object {
  return value.a === null ? {} : value;
}

describe("conditions that only some controllers evaluate", () => {
  function lintCondition(condition: string, version?: string, provider = "prometheus"): string[] {
    const source = `metrics:\n- name: a\n  successCondition: "${condition}"\n  provider: {${provider}: {}}\n`;
    return lintTemplate(source, version).problems.map(({ severity, text }) => `${severity} ${text}`);
  }

  it.each<[string, string | undefined, string[]]>([
    [
      "max(result) < 3",
      "1.9.3",
      [
        "warning Argo Rollouts 1.9.3 cannot evaluate it if the result is a list of numbers: invalid argument for max (type []float64)",
      ],
    ],
    [
      "max(result) < 3",
      undefined,
      [
        "warning Argo Rollouts before 1.10 cannot evaluate it if the result is a list of numbers: invalid argument for max (type []float64)",
      ],
    ],
    ["max(result) < 3", "1.10.2", []],
    ["uniq(result)[0] < 3", "v1.8.0", ["error Argo Rollouts v1.8.0 cannot evaluate it: unknown name uniq"]],
    ["uniq(result)[0] < 3", undefined, ["warning Argo Rollouts before 1.10 cannot evaluate it: unknown name uniq"]],
    ["uniq(result)[0] < 3", "1.10.0", []],
    ["result?.[0] < 3", "1.9.3", ["error Argo Rollouts 1.9.3 cannot evaluate it: expected name"]],
    [
      "result == [0.95]",
      undefined,
      [
        "warning If the result is [0.95], the condition is false in Argo Rollouts before 1.10 and true in later versions",
      ],
    ],
    ["result == [0.95]", "1.9.3", []],
    [
      "result == [-1e3, .5]",
      undefined,
      [
        "warning If the result is [-1000,0.5], the condition is false in Argo Rollouts before 1.10 and true in later versions",
      ],
    ],
    ["result[0] == 0.95 or result[1] == 2", undefined, []],
    ["result[0] < 3", "1.9.3", []],
    ["result[0] < 3", undefined, []],
  ])("%s, version %s", (condition, version, problems) => {
    expect(lintCondition(condition, version)).toEqual(problems);
  });
});
