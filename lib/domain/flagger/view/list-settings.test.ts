import { expect, it } from "vitest";
import { listSettings } from "#lib/domain/flagger/view/list-settings.ts";

const analysis = {
  interval: "1m",
  stepWeight: 10,
  metrics: [
    {
      ...{ name: "errors", interval: "30s", thresholdRange: { max: 1 } },
      ...{ templateRef: { name: "errors" }, templateVariables: { service: "app" } },
    },
  ],
  webhooks: [{ url: "http://gate.eu" }],
};
const digestOf = (spec: unknown) => listSettings(spec).find(({ kind }) => kind === "steps")?.value;

it("lists what a Canary gives its metrics", () => {
  const args = listSettings({ analysis }).filter(({ kind }) => kind === "argument");
  expect(args.map(({ name, value }) => `${name} = ${value}`)).toEqual([
    "interval of errors = 30s",
    'thresholdRange of errors = {"max":1}',
    "service of errors = app",
  ]);
});

it("has a digest of the rest of the analysis, without its webhooks", () => {
  expect(digestOf({ analysis: { ...analysis, stepWeight: 20 } })).not.toBe(digestOf({ analysis }));
  expect(digestOf({ canaryAnalysis: { ...analysis, webhooks: [] } })).toBe(digestOf({ analysis }));
});

it.each([null, {}, { analysis: "x" }, { analysis: null }])("lists nothing of %j", (spec) => {
  expect(listSettings(spec)).toEqual([]);
});
