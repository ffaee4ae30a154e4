import { expect, it } from "vitest";
import { guessTypedValue } from "#components/templates/guess-typed-value.ts";

it.each([
  ["0.97", "prometheus", { type: "float64", value: 0.97 }],
  ["0", null, { type: "float64", value: 0 }],
  ["NaN", "prometheus", { type: "float64", value: "NaN" }],
  ["[0.97]", "prometheus", { type: "[]float64", value: [0.97] }],
  ["[1 +Inf]", "prometheus", { type: "[]float64", value: [1, "+Inf"] }],
  ["[]", "prometheus", { type: "[]float64", value: [] }],
  ["5", "web", { type: "json", value: 5 }],
  ['{"ok": true}', "web", { type: "json", value: { ok: true } }],
  ['["a"]', "prometheus", { type: "json", value: ["a"] }],
  ["all good", "web", { type: "string", value: "all good" }],
])("%s of %s", (text, provider, expected) => {
  expect(guessTypedValue(text, provider)).toEqual(expected);
});
