import { describe, expect, it } from "vitest";
import { computeSpecWrite, computeWriter, markManagedFields } from "./compute-writer.ts";

const controller = {
  manager: "rollouts-controller",
  subresource: "status",
  time: "2026-01-01T00:00:00Z",
  fieldsV1: { a: {} },
};
const kubectl = { manager: "kubectl", time: "2026-01-01T00:00:05Z", fieldsV1: { b: {} } };

const cases = [
  {
    name: "nothing is known before: the newest",
    current: [kubectl, controller],
    previous: undefined,
    writer: "kubectl",
  },
  {
    name: "the one whose time moved",
    current: [kubectl, { ...controller, time: "2026-01-01T00:00:05Z" }],
    previous: [kubectl, controller],
    writer: "rollouts-controller",
  },
  {
    name: "same second, its fields grew",
    current: [kubectl, { ...controller, fieldsV1: { a: {}, c: {} } }],
    previous: [kubectl, controller],
    writer: "rollouts-controller",
  },
  {
    name: "same second, taken over from another",
    current: [
      { ...kubectl, fieldsV1: { b: {}, a: {} } },
      { ...controller, time: kubectl.time, fieldsV1: {} },
    ],
    previous: [kubectl, { ...controller, time: kubectl.time }],
    writer: "kubectl",
  },
  {
    name: "the same fields in the same second",
    current: [kubectl, controller],
    previous: [kubectl, controller],
    writer: "kubectl",
  },
  {
    name: "nothing moved and two are as new",
    current: [kubectl, { ...controller, time: kubectl.time }],
    previous: [kubectl, { ...controller, time: kubectl.time }],
    writer: undefined,
  },
  { name: "no managedFields", current: undefined, previous: undefined, writer: undefined },
  { name: "garbage", current: [null, 3, { manager: 1 }], previous: "x", writer: undefined },
];

describe("computeWriter", () => {
  it.each(cases)("$name", ({ current, previous, writer }) => {
    const marks = { current: markManagedFields(current), previous: markManagedFields(previous) };
    expect(computeWriter(marks)).toBe(writer);
  });
});

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
