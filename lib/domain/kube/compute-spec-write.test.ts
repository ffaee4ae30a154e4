import { describe, expect, it } from "vitest";
import { computeSpecWrite } from "./compute-spec-write.ts";

const spec = { "f:spec": { "f:metrics": {} } };
const entry = (manager: string, time: string, fieldsV1: object = spec, more: object = {}) => ({
  manager,
  time,
  fieldsV1,
  ...more,
});
const [early, late] = ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"];

describe("computeSpecWrite", () => {
  it.each([
    { name: "nothing kept", fields: undefined, write: undefined },
    { name: "one writer", fields: [entry("helm", early)], write: { writer: "helm", at: early } },
    {
      name: "the newest of two",
      fields: [entry("helm", early), entry("kubectl-edit", late)],
      write: { writer: "kubectl-edit", at: late },
    },
    {
      name: "a later write of labels",
      fields: [entry("helm", early), entry("labeler", late, { "f:metadata": {} })],
      write: { writer: "helm", at: early },
    },
    {
      name: "a write of status",
      fields: [entry("helm", early), entry("controller", late, spec, { subresource: "status" })],
      write: { writer: "helm", at: early },
    },
    { name: "two within a second", fields: [entry("a", late), entry("b", late)], write: undefined },
    { name: "a time that is none", fields: [entry("helm", "soon")], write: undefined },
  ])("$name", ({ fields, write }) => {
    expect(computeSpecWrite(fields)).toEqual(write);
  });
});
