import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEqualJson, sharedCopy } from "./shared-copy.ts";

describe("sharedCopy", () => {
  it("is equal to the value, and the previous copy itself exactly when nothing differs", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const first = sharedCopy(left);
        expect(first).toEqual(left);
        expect(sharedCopy(structuredClone(left), first)).toEqual(first);
        if (typeof first === "object" && first !== null) expect(sharedCopy(structuredClone(left), first)).toBe(first);
        const second = sharedCopy(right, first);
        expect(second).toEqual(right);
        expect(second === first).toBe(Object.is(first, second) || isEqualJson(left, right));
      }),
    );
  });

  it("shares what did not change and freezes all of it", () => {
    const first = sharedCopy({ spec: { steps: [1, 2] }, status: { a: 1 } });
    const second = sharedCopy({ spec: { steps: [1, 2] }, status: { a: 2 } }, first);
    expect(second.spec).toBe(first.spec);
    expect(Object.isFrozen(second.status)).toBe(true);
    expect(() => second.spec.steps.push(3)).toThrow(TypeError);
  });

  it("does not freeze what the caller handed in", () => {
    const value = { a: { b: 1 } };
    sharedCopy(value);
    value.a.b = 2;
    expect(value.a.b).toBe(2);
  });

  it("leaves undefined members out", () => {
    expect(Object.keys(sharedCopy({ a: undefined, b: 0 }))).toEqual(["b"]);
  });

  it("copies a value that is frozen on its surface only", () => {
    const inner = { n: 1 };
    const copy = sharedCopy(Object.freeze({ inner }));
    inner.n = 2;
    expect(copy.inner.n).toBe(1);
  });
});
