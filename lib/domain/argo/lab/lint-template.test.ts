import { describe, expect, it } from "vitest";
import { lintTemplate } from "./lint-template.ts";

const good = `kind: AnalysisTemplate
metadata:
  name: rate
spec:
  args:
    - name: service
  metrics:
    - name: rate
      interval: 30s
      count: 3
      successCondition: result[0] >= 0.95
      provider:
        prometheus:
          query: up{service="{{args.service}}"}
`;

function lint(source: string): string[] {
  return lintTemplate(source).problems.map(
    ({ severity, from, to, text }) => `${severity} ${from.line}:${from.column}-${to.line}:${to.column} ${text}`,
  );
}

describe("lint", () => {
  it("accepts a template, and reads it", () => {
    const { problems, template } = lintTemplate(good);
    expect(problems).toEqual([]);
    expect(template).toMatchObject({ kind: "AnalysisTemplate", name: "rate", spec: { metrics: [{ name: "rate" }] } });
  });

  it("accepts a spec alone", () => {
    const spec = "metrics:\n- {name: rate, successCondition: 'result[0] > 1', provider: {prometheus: {query: up}}}\n";
    expect(lintTemplate(spec)).toMatchObject({
      problems: [],
      template: { name: "", spec: { metrics: [{ name: "rate" }] } },
    });
  });

  it.each<[string, (source: string) => string, string[]]>([
    ["broken YAML", (source) => source.replace("count: 3", "count: 'three"), [expect.stringMatching(/^error 1[0-9]:/)]],
    [
      "a condition that does not parse",
      (source) => source.replace(">= 0.95", ">="),
      [expect.stringMatching(/^error 11:3[56]-/)],
    ],
    [
      "a quoted condition with an unknown function",
      (source) => source.replace("result[0] >= 0.95", '"frob(result) > 1"'),
      [expect.stringMatching(/^error 11:26-11:43 .*frob/)],
    ],
    [
      "a limit above the count",
      (source) => source.replace("count: 3", "count: 3\n      failureLimit: 4"),
      ["error 10:14-10:15 count (3) must be >= failureLimit + consecutiveSuccessLimit (4 + 0) if both >= 0"],
    ],
    [
      "a duration without a unit",
      (source) => source.replace("30s", "'30'"),
      ['error 9:17-9:21 invalid interval string: time: missing unit in duration "30"'],
    ],
    [
      "a missing interval",
      (source) => source.replace("      interval: 30s\n", ""),
      ["error 9:14-9:15 interval must be specified when count > 1"],
    ],
    [
      "an unknown field",
      (source) => source.replace("count: 3", "counts: 3"),
      ["warning 10:7-10:13 Unknown field counts: the API server drops it."],
    ],
    [
      "a wrong type",
      (source) => source.replace("count: 3", "count: [3]"),
      ["error 10:14-10:17 count: must be a whole number, or text that holds one"],
    ],
    [
      "an argument that nobody declares",
      (source) => source.replace("- name: service", "- name: services"),
      ["error 14:30-14:46 Argument service is not declared in args: failed to resolve {{args.service}}"],
    ],
    [
      "a metric that cannot fail",
      (source) => source.replace("      successCondition: result[0] >= 0.95\n", ""),
      ["warning 8:13-8:17 It can never fail. It has no condition, so every value counts as good."],
    ],
    [
      "no provider",
      (source) => source.slice(0, source.indexOf("      provider")),
      [expect.stringContaining("provider")],
    ],
    [
      "another kind",
      (source) => source.replace("kind: AnalysisTemplate", "kind: Rollout"),
      [expect.stringMatching(/^error 1:7-1:14 /)],
    ],
    ["nothing", () => "", ["error 1:1-1:1 Write an AnalysisTemplate, or only its spec."]],
    ["a list", () => "- a\n", ["error 1:1-1:4 Write an AnalysisTemplate, or only its spec."]],
  ])("finds %s", (_, change, problems) => {
    expect(lint(change(good))).toEqual(problems);
  });

  it("finds a name that two metrics have", () => {
    const metric = good.slice(good.indexOf("    - name: rate"));
    expect(lint(good + metric)).toEqual(["error 15:13-15:17 duplicate name 'rate'"]);
  });

  it("is not led to expand aliases without end", () => {
    const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const bomb = names.map((name, index) => {
      const before = names[index - 1];
      return `${name}: &${name} [${Array(9)
        .fill(before === undefined ? "x" : `*${before}`)
        .join(",")}]`;
    });
    expect(lint(`${bomb.join("\n")}\n`).length).toBeGreaterThan(0);
  });
});

it("lists at most 200 problems, with texts of at most 1000 characters", () => {
  const metrics = Array.from({ length: 300 }, () => `  - {name: m, ${"x".repeat(2000)}: 1, provider: {}}`).join("\n");
  const { problems, moreProblems } = lintTemplate(`metrics:\n${metrics}\n`);
  expect([problems.length, moreProblems]).toEqual([200, expect.any(Number)]);
  expect(moreProblems).toBeGreaterThanOrEqual(100);
  for (const { text } of problems) expect(text.length).toBeLessThanOrEqual(1000);
});
