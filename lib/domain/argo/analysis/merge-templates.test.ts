import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import {
  composeRun,
  expandTemplates,
  mergeArgs,
  mergeTemplates,
  type NamedTemplate,
  type TemplateSpec,
  uniqueTemplates,
} from "./merge-templates.ts";
import type { Argument, MetricSpec } from "./types.ts";

describe("mergeTemplates", () => {
  type FlattenCase = {
    id: string;
    templates: TemplateSpec[];
    clusterTemplates: TemplateSpec[];
    expect: { metrics?: MetricSpec[]; args?: Argument[]; error?: string };
  };

  it.each(loadCases<FlattenCase>("analysis-flatten-templates"))(
    "$id",
    ({ templates, clusterTemplates, expect: expected }) => {
      const merged = mergeTemplates(templates, clusterTemplates);
      if (expected.error !== undefined) expect(merged).toEqual({ error: expected.error });
      else expect("value" in merged ? merged.value : merged).toMatchObject(expected);
    },
  );

  type UniqueCase = {
    id: string;
    templates: string[];
    clusterTemplates: string[];
    expect: { templates: string[]; clusterTemplates: string[] };
  };

  it.each(loadCases<UniqueCase>("analysis-unique-templates"))("$id", (testCase) => {
    const names = (list: string[]) => uniqueTemplates(list.map((name) => ({ name }))).map(({ name }) => name);
    expect(names(testCase.templates)).toEqual(testCase.expect.templates);
    expect(names(testCase.clusterTemplates)).toEqual(testCase.expect.clusterTemplates);
  });

  describe("clashes", () => {
    const rule = { metricName: "m" };

    it.each<[string, TemplateSpec[], string]>([
      ["dry run", [{ dryRun: [rule] }, { dryRun: [rule] }], "two Dry-Run metric rules have the same name 'm'"],
      [
        "retention",
        [{ measurementRetention: [rule] }, { measurementRetention: [rule] }],
        "two Measurement Retention metric rules have the same name 'm'",
      ],
    ])("%s", (_, templates, error) => {
      expect(mergeTemplates(templates)).toEqual({ error });
    });

    it("lets equal values and a later value stand", () => {
      const merged = mergeTemplates(
        [{ args: [{ name: "a" }] }, { args: [{ name: "a", value: "1" }] }],
        [{ args: [{ name: "a", value: "1" }] }],
      );
      expect(merged).toMatchObject({ value: { args: [{ name: "a", value: "1" }] } });
    });
  });

  describe("expandTemplates", () => {
    const template = (name: string, ...templates: TemplateSpec["templates"] & object): NamedTemplate => ({
      name,
      spec: { templates },
    });
    const known = {
      templates: [
        template("outer", { templateName: "inner" }, { templateName: "shared", clusterScope: true }),
        template("inner", { templateName: "leaf" }),
        template("leaf"),
        template("loop", { templateName: "loop" }),
      ],
      clusterTemplates: [template("shared", { templateName: "leaf" })],
    };

    it("follows references, each template once", () => {
      const found = expandTemplates([{ templateName: "outer" }, { templateName: "leaf" }], known);
      if ("error" in found) throw new Error(found.error);
      expect(found.value.templates.map(({ name }) => name)).toEqual(["outer", "inner", "leaf"]);
      expect(found.value.clusterTemplates.map(({ name }) => name)).toEqual(["shared"]);
    });

    it("names what is missing and what goes in a circle", () => {
      expect(expandTemplates([{ templateName: "nope" }], known)).toEqual({
        error: 'analysistemplate.argoproj.io "nope" not found',
      });
      expect(expandTemplates([{ templateName: "loop" }], known)).toHaveProperty(
        "error",
        expect.stringContaining('analysistemplate "loop" refers to itself'),
      );
    });

    it("does not follow a template again for each reference to it", () => {
      const levels = Array.from({ length: 60 }, (_, level) =>
        template(`level-${level}`, ...(level < 59 ? [1, 2].map(() => ({ templateName: `level-${level + 1}` })) : [])),
      );
      const found = expandTemplates([{ templateName: "level-0" }], { templates: levels });
      expect("value" in found ? found.value.templates : found).toHaveLength(60);
    });
  });
});

describe("composeRun", () => {
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
});
