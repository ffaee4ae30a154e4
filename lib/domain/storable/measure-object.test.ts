import { describe, expect, it } from "vitest";
import { explainExcess, measureObject, objectLimits } from "./measure-object.ts";

const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
const wide = (values: number): number[] => Array.from({ length: values }, () => 0);

describe("measureObject", () => {
  it.each([
    { name: "null", object: null, size: { characters: 0, values: 1, depth: 0 } },
    { name: "a text", object: "abc", size: { characters: 3, values: 1, depth: 0 } },
    { name: "an empty list", object: [], size: { characters: 0, values: 1, depth: 1 } },
    { name: "names and texts", object: { ab: "cde", f: [0, "g"] }, size: { characters: 7, values: 5, depth: 2 } },
  ])("measures $name", ({ object, size }) => {
    expect(measureObject(object)).toEqual(size);
  });

  it("does not recurse, and stops at a limit", () => {
    const { depth } = measureObject(nested(100_000));
    expect(depth).toBe(objectLimits.depth + 1);
  });
});

describe("explainExcess", () => {
  const metadata = { name: "a", annotations: { note: "x".repeat(objectLimits.characters) } };
  it.each([
    { name: "too deep", object: { spec: { replicas: 1, more: nested(5000) } }, reason: /^spec\.more is nested/ },
    { name: "too long", object: { metadata, spec: {} }, reason: /most of them in metadata\.annotations$/ },
    {
      name: "too many",
      object: { spec: { steps: wide(objectLimits.values) } },
      reason: /most of them in spec\.steps$/,
    },
    { name: "a long name", object: { ["n".repeat(1000)]: nested(5000) }, reason: /^n{60} is nested/ },
  ])("says what is $name, and where", ({ object, reason }) => {
    expect(explainExcess(object, measureObject(object))).toMatch(reason);
  });

  it("lets the largest objects pass", () => {
    const object = {
      list: wide(objectLimits.values - 1000),
      text: "x".repeat(objectLimits.characters - 100),
      deep: nested(objectLimits.depth - 1),
    };
    expect(explainExcess(object, measureObject(object))).toBeUndefined();
  });
});
