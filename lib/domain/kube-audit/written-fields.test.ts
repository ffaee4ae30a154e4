import { describe, expect, it } from "vitest";
import { listWrittenFields, mayHaveWritten } from "./written-fields.ts";

describe("the fields that a patch names", () => {
  const cases: [name: string, patch: unknown, fields: string[] | undefined][] = [
    ["a merge patch", { status: { abort: true } }, ["status.abort"]],
    ["a removed field", { status: { pauseConditions: null } }, ["status.pauseConditions"]],
    [
      "several fields",
      { spec: { paused: false }, status: { promoteFull: true } },
      ["spec.paused", "status.promoteFull"],
    ],
    ["a deep field, to two levels", { spec: { template: { spec: { containers: [] } } } }, ["spec.template"]],
    ["a replaced branch", { spec: {} }, ["spec"]],
    ["an apply patch", { apiVersion: "v1", kind: "Rollout", spec: { replicas: 2 } }, ["spec.replicas"]],
    ["a JSON patch", [{ op: "replace", path: "/spec/template", value: {} }], ["spec.template"]],
    ["a deep operation", [{ op: "add", path: "/metadata/labels/a~1b", value: "c" }], ["metadata.labels"]],
    ["a test, which writes nothing", [{ op: "test", path: "/spec/paused", value: true }], []],
    ["the whole object", [{ op: "replace", path: "", value: {} }], undefined],
    ["keys that are no fields", { "a b": 1, spec: { "x.y/z": "secret" } }, ["spec"]],
    ["no patch", "x", undefined],
    ["nothing", undefined, undefined],
    ["a list of something else", [1], undefined],
    [
      "too many fields",
      { spec: Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`f${index}`, 1])) },
      undefined,
    ],
  ];
  it.each(cases)("of %s", (_, patch, fields) => {
    expect(listWrittenFields(patch)).toEqual(fields);
  });
});

describe("a write of some fields", () => {
  const cases: [fields: string[], changed: string[], may: boolean][] = [
    [["status.abort"], ["status.abort"], true],
    [["status"], ["status.abort"], true],
    [["spec.template"], ["spec.template.spec"], true],
    [["status.aborted"], ["status.abort"], false],
    [["metadata.labels"], ["status.abort"], false],
    [[], ["status.abort"], false],
  ];
  it.each(cases)("%j may have changed %j: %s", (fields, changed, may) => {
    expect(mayHaveWritten(fields, changed)).toBe(may);
  });
});
