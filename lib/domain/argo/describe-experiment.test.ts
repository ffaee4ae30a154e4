import { expect, it } from "vitest";
import { describeExperiment } from "./describe-experiment.ts";
import { parseExperiment } from "./objects/experiment-object.ts";

function describeWith(args: { name: string; value?: string }[]) {
  const container = (image: string) => ({
    template: { spec: { containers: [{ name: "app", image }, { name: "none" }] } },
  });
  const parsed = parseExperiment({
    kind: "Experiment",
    metadata: { name: "e", uid: "u", resourceVersion: "1" },
    spec: {
      templates: [
        { name: "base", ...container("shop:1") },
        { name: "base-new", ...container("shop:2") },
        { name: "bare" },
      ],
      analyses: [{ name: "a", templateName: "slo", args }],
    },
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return describeExperiment(parsed.value);
}

it("tells the ReplicaSet of each template", () => {
  expect(describeWith([]).templates.map(({ replicaSet }) => replicaSet)).toEqual(["e-base", "e-base-new", "e-bare"]);
});

it("tells the images of each template", () => {
  expect(describeWith([]).templates.map(({ images }) => images)).toEqual([["shop:1"], ["shop:2"], []]);
});

it.each([
  { name: "one that it names", args: [{ name: "h", value: "{{templates.base.podTemplateHash}}" }], measures: "base" },
  {
    name: "one with spaces",
    args: [{ name: "h", value: "{{ templates.base-new.replicaset.name }}" }],
    measures: "base-new",
  },
  {
    name: "none of two",
    args: [
      { name: "a", value: "{{templates.base.podTemplateHash}}" },
      { name: "b", value: "{{templates.base-new.podTemplateHash}}" },
    ],
    measures: undefined,
  },
  { name: "none without a reference", args: [{ name: "service", value: "shop" }, { name: "x" }], measures: undefined },
  {
    name: "none that is unknown",
    args: [{ name: "h", value: "{{templates.other.podTemplateHash}}" }],
    measures: undefined,
  },
])("an analysis measures $name", ({ args, measures }) => {
  expect(describeWith(args).analyses[0]?.measures).toBe(measures);
});
