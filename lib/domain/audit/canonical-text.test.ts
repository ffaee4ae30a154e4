import { describe, expect, it } from "vitest";
import { formatCanonicalText } from "./canonical-text.ts";

describe("formatCanonicalText", () => {
  it.each([
    {
      name: "sorts keys by UTF-16 code unit",
      value: { b: 1, a: 2, B: 3, "\u00e9": 4 },
      text: '{"B":3,"a":2,"b":1,"é":4}',
    },
    { name: "keeps the order of arrays", value: [3, 1, 2], text: "[3,1,2]" },
    {
      name: "keeps zero, false, null and empty",
      value: { z: 0, f: false, n: null, e: "" },
      text: '{"e":"","f":false,"n":null,"z":0}',
    },
    { name: "writes minus zero as zero", value: [-0], text: "[0]" },
    { name: "escapes control characters", value: 'a\u0000\n"\\', text: '"a\\u0000\\n\\"\\\\"' },
    { name: "takes the largest safe integer", value: Number.MAX_SAFE_INTEGER, text: "9007199254740991" },
    { name: "takes objects without prototype", value: Object.assign(Object.create(null), { a: 1 }), text: '{"a":1}' },
  ])("$name", ({ value, text }) => {
    expect(formatCanonicalText(value)).toBe(text);
  });

  it.each([
    { name: "a fraction", value: { weight: 0.5 }, message: "weight is not a safe integer" },
    { name: "an unsafe integer", value: 2 ** 53, message: "the value is not a safe integer" },
    { name: "NaN", value: [Number.NaN], message: "[0] is not a safe integer" },
    { name: "undefined in an object", value: { a: { b: undefined } }, message: "a.b is undefined" },
    { name: "a hole", value: new Array(1), message: "[0] is undefined" },
    { name: "a date", value: { at: new Date(0) }, message: "at is object" },
    { name: "a big integer", value: 1n, message: "the value is bigint" },
    { name: "a lone surrogate", value: { text: "\ud800" }, message: "text holds a lone surrogate" },
    { name: "a lone surrogate as key", value: { "\udc00": 1 }, message: "a key of the value holds a lone surrogate" },
    { name: "a map", value: new Map(), message: "the value is object" },
  ])("refuses $name", ({ value, message }) => {
    expect(() => formatCanonicalText(value)).toThrow(message);
  });
});
