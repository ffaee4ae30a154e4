import { expect, it } from "vitest";
import { emphasise } from "#components/ui/emphasise.ts";

const shown = (sentence: string, names: (string | undefined)[]) =>
  emphasise(sentence, names)
    .map(({ text, isStrong }) => (isStrong ? `[${text}]` : text))
    .join("");

it.each([
  {
    sentence: "ann aborted shop/cart at 40 %",
    names: ["ann", "shop/cart"],
    expected: "[ann] aborted [shop/cart] at 40 %",
  },
  { sentence: "nothing to see", names: ["ann", undefined, ""], expected: "nothing to see" },
  { sentence: "ann aborted shop/cart", names: ["ann", "shop/cart", "cart"], expected: "[ann] aborted [shop/cart]" },
  { sentence: "a.b aborted (x|y)", names: ["a.b", "(x|y)"], expected: "[a.b] aborted [(x|y)]" },
  { sentence: "", names: ["ann"], expected: "" },
])("marks names in: $sentence", ({ sentence, names, expected }) => {
  expect(shown(sentence, names)).toBe(expected);
});
