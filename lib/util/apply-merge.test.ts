import { describe, expect, it } from "vitest";
import { applyMerge } from "./diff-merge.ts";

/** The rows are the examples of RFC 7386, appendix A. */
const cases: { target: unknown; patch: unknown; result: unknown }[] = [
  { target: { a: "b" }, patch: { a: "c" }, result: { a: "c" } },
  { target: { a: "b" }, patch: { b: "c" }, result: { a: "b", b: "c" } },
  { target: { a: "b" }, patch: { a: null }, result: {} },
  { target: { a: "b", b: "c" }, patch: { a: null }, result: { b: "c" } },
  { target: { a: ["b"] }, patch: { a: "c" }, result: { a: "c" } },
  { target: { a: "c" }, patch: { a: ["b"] }, result: { a: ["b"] } },
  { target: { a: { b: "c" } }, patch: { a: { b: "d", c: null } }, result: { a: { b: "d" } } },
  { target: { a: [{ b: "c" }] }, patch: { a: [1] }, result: { a: [1] } },
  { target: ["a", "b"], patch: ["c", "d"], result: ["c", "d"] },
  { target: { a: "b" }, patch: ["c"], result: ["c"] },
  { target: { a: "foo" }, patch: null, result: null },
  { target: { a: "foo" }, patch: "bar", result: "bar" },
  { target: { e: null }, patch: { a: 1 }, result: { e: null, a: 1 } },
  { target: [1, 2], patch: { a: "b", c: null }, result: { a: "b" } },
  { target: {}, patch: { a: { bb: { ccc: null } } }, result: { a: { bb: {} } } },
  { target: { a: 1 }, patch: { a: 0, b: false, c: "" }, result: { a: 0, b: false, c: "" } },
];

describe("applyMerge", () => {
  it.each(cases)("$target + $patch", ({ target, patch, result }) => {
    expect(applyMerge(target, patch)).toEqual(result);
  });

  it("leaves the target as it was", () => {
    const target = Object.freeze({ a: Object.freeze({ b: 1 }) });
    expect(applyMerge(target, { a: { b: 2 } })).toEqual({ a: { b: 2 } });
    expect(target).toEqual({ a: { b: 1 } });
  });

  it("gives no object another prototype", () => {
    const result = applyMerge({}, JSON.parse('{"__proto__": {"polluted": true}}')) as Record<string, unknown>;
    expect(result.polluted).toBeUndefined();
  });
});
