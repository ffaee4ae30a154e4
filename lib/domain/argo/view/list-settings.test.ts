import { expect, it } from "vitest";
import { listSettings } from "#lib/domain/argo/view/list-settings.ts";

const analysis = (value: unknown) => ({ templates: [{ templateName: "errors" }], args: [{ name: "limit", value }] });
const canary = (...steps: unknown[]) => ({ strategy: { canary: { steps } } });
const stepsOf = (spec: unknown) => listSettings(spec).find(({ kind }) => kind === "steps")?.value;

it.each([
  { name: "no spec", spec: null, expected: [] },
  {
    name: "a spec of another shape",
    spec: { strategy: { canary: { steps: "x", analysis: { args: {} } } } },
    expected: [],
  },
  {
    name: "background and step analyses, each value once",
    spec: {
      strategy: {
        canary: { analysis: analysis("5"), steps: [{ analysis: analysis("9") }, { analysis: analysis("5") }] },
      },
    },
    expected: ["limit of errors = 5, 9"],
  },
  {
    name: "zero, an empty and a missing value",
    spec: { strategy: { blueGreen: { prePromotionAnalysis: analysis(0), postPromotionAnalysis: analysis("") } } },
    expected: ["limit of errors = , 0"],
  },
  {
    name: "a value from elsewhere as declared",
    spec: canary({
      analysis: {
        templates: [{ templateName: "a" }, { templateName: "b" }],
        args: [{ name: "hash", valueFrom: { podTemplateHashValue: "Latest" } }],
      },
    }),
    expected: ['hash of a and b = valueFrom {"podTemplateHashValue":"Latest"}'],
  },
  {
    name: "the analyses of an experiment",
    spec: canary({
      experiment: { analyses: [{ name: "e", templateName: "errors", args: [{ name: "limit", value: "1" }] }] },
    }),
    expected: ["limit of errors = 1"],
  },
])("lists the arguments of $name", ({ spec, expected }) => {
  const args = listSettings(spec).filter(({ kind }) => kind === "argument");
  expect(args.map(({ name, value }) => `${name} = ${value}`)).toEqual(expected);
});

it("has a digest of the steps, in which arguments of analyses do not count, and those of plugins do", () => {
  const plugin = (args: string) => canary({ plugin: { name: "p", config: { args } } });
  expect(stepsOf(canary({ setWeight: 20 }))).toMatch(/^1 steps, digest [0-9a-f]{12}$/);
  expect(stepsOf(canary({ setWeight: 20 }))).not.toBe(stepsOf(canary({ setWeight: 30 })));
  expect(stepsOf(canary({ analysis: analysis("5") }))).toBe(stepsOf(canary({ analysis: analysis("9") })));
  expect(stepsOf(plugin("a"))).not.toBe(stepsOf(plugin("b")));
  expect(stepsOf({ strategy: { canary: {} } })).toBeUndefined();
});
