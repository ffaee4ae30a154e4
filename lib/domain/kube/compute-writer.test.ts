import { describe, expect, it } from "vitest";
import { computeWriter, markManagedFields } from "./compute-writer.ts";

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
