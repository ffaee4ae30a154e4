import { describe, expect, it } from "vitest";
import { joinObject, splitObject } from "./split-object.ts";

const template = { spec: { containers: [{ image: "shop/app:1" }] } };

describe("splitObject", () => {
  it("takes the spec out, and the pod template out of that", () => {
    const object = { kind: "Rollout", spec: { replicas: 0, template }, status: { abort: false } };
    const split = splitObject(object);
    expect(split).toEqual({ frame: { kind: "Rollout", status: { abort: false } }, spec: { replicas: 0 } });
    expect(joinObject(split, template)).toEqual(object);
    expect(joinObject(split, undefined)).toEqual({ ...object, spec: { replicas: 0 } });
  });

  it.each([undefined, null, 7, "text", [], { spec: null }, { spec: "x" }, { spec: [1] }, { status: {} }])(
    "leaves %j as it is",
    (object) => {
      const split = splitObject(object);
      expect(split).toEqual({ frame: object, spec: undefined });
      expect(joinObject(split, template)).toEqual(object);
    },
  );
});
