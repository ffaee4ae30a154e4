import { expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { buildRolloutArgs, type RolloutAnalysisArgument, rolloutField } from "./rollout-args.ts";

type FieldCase = { id: string; rollout: unknown; path: string; expect: { value?: string; error?: string } };

it.each(loadCases<FieldCase>("analysis-field-ref-from-rollout"))("$id $path", ({ rollout, path, expect: expected }) => {
  expect(rolloutField(rollout, path)).toEqual(expected);
});

type ArgCase = {
  id: string;
  rollout: unknown;
  stablePodHash: string;
  latestPodHash: string;
  arg: RolloutAnalysisArgument;
  expect: { name: string; value: string };
};

it.each(loadCases<ArgCase>("analysis-build-rollout-args"))("$id", ({ arg, expect: expected, ...input }) => {
  expect(buildRolloutArgs({ ...input, args: [arg] })).toEqual({ value: [expected] });
});

const rollout = {
  metadata: { name: "web", uid: "u1", labels: { b: "2", a: 'x"y' }, annotations: {} },
  spec: { replicas: 3, paused: false, big: 2000000 },
};

it.each([
  ["metadata.name", { value: "web" }],
  ["metadata.namespace", { value: "" }],
  ["metadata.labels", { value: 'a="x\\"y"\nb="2"' }],
  ["metadata.labels['none']", { value: "" }],
  ["metadata.name['x']", { error: "fieldPath \"metadata.name['x']\" does not support subscript" }],
  ["metadata.generation", { error: "unsupported fieldPath: metadata.generation" }],
  ["spec.replicas", { value: "3" }],
  ["spec.paused", { value: "false" }],
  ["spec.big", { value: "2e+06" }],
  ["spec.constructor", { error: "invalid path spec.constructor in rollout" }],
])("%s", (fieldPath, expected) => {
  const built = buildRolloutArgs({
    args: [{ name: "a", valueFrom: { fieldRef: { fieldPath } } }],
    rollout,
    stablePodHash: "s",
    latestPodHash: "l",
  });
  expect(built).toEqual("error" in expected ? expected : { value: [{ name: "a", value: expected.value }] });
});
