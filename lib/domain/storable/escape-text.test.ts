import { describe, expect, it } from "vitest";
import { escapeText, toStorableJson } from "./escape-text.ts";

const cases = [
  { name: "plain text", text: "0.95", result: { text: "0.95", escaped: false } },
  { name: "empty text", text: "", result: { text: "", escaped: false } },
  { name: "a pair of surrogates", text: "a😀b", result: { text: "a😀b", escaped: false } },
  { name: "NUL", text: "a\0b", result: { text: "a\\u0000b", escaped: true } },
  { name: "a lone high surrogate", text: "a\ud83d", result: { text: "a\\ud83d", escaped: true } },
  { name: "a lone low surrogate", text: "\ude00b", result: { text: "\\ude00b", escaped: true } },
  { name: "a pair beside a lone one", text: "😀\ud83d", result: { text: "😀\\ud83d", escaped: true } },
  { name: "text that looks escaped", text: "\\u0000", result: { text: "\\u0000", escaped: false } },
];

describe("escapeText", () => {
  it.each(cases)("$name", ({ text, result }) => {
    expect(escapeText(text)).toEqual(result);
  });
});

describe("toStorableJson", () => {
  const values = [
    { name: "clean", value: { a: [1, "x", null] }, json: '{"a":[1,"x",null]}' },
    { name: "NUL in a value", value: { a: "x\0" }, json: '{"a":"x\\\\u0000"}' },
    { name: "a lone surrogate in a key", value: { "\ud800": 1 }, json: '{"\\\\ud800":1}' },
    { name: "undefined", value: undefined, json: "null" },
  ];
  it.each(values)("$name", ({ value, json }) => {
    expect(toStorableJson(value)).toBe(json);
  });
});
