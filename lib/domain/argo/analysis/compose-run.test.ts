import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { composeRun, mergeArgs } from "./compose-run.ts";
import type { TemplateSpec } from "./merge-templates.ts";
import type { Argument } from "./types.ts";

type MergeCase = {
  id: string;
  incoming: Argument[] | null;
  template: Argument[] | null;
  expect: { args?: Argument[] | null; error?: string };
};

it.each(loadCases<MergeCase>("analysis-merge-args"))("$id", ({ incoming, template, expect: expected }) => {
  const merged = mergeArgs(incoming ?? [], template ?? []);
  expect(merged).toEqual(expected.error === undefined ? { value: expected.args ?? [] } : { error: expected.error });
});

type RunCase = {
  id: string;
  templates: TemplateSpec[];
  clusterTemplates: TemplateSpec[];
  args: Argument[];
  expect: { args?: Argument[]; error?: string };
};

it.each(loadCases<RunCase>("analysis-new-run-from-templates"))("$id", (testCase) => {
  const run = composeRun(testCase);
  if (testCase.expect.error !== undefined) expect(run).toEqual({ error: testCase.expect.error });
  else expect("value" in run ? run.value.args : run).toEqual(testCase.expect.args);
});

it("puts the caller's rules before the templates' own and refuses the same name twice", () => {
  const templates = [{ metrics: [{ name: "m" }], dryRun: [{ metricName: "m" }] }];
  expect(composeRun({ templates, dryRun: [{ metricName: ".*" }] })).toMatchObject({
    value: { dryRun: [{ metricName: ".*" }, { metricName: "m" }] },
  });
  expect(composeRun({ templates, dryRun: [{ metricName: "m" }] })).toEqual({
    error: "two Dry-Run metric rules have the same name 'm'",
  });
});
