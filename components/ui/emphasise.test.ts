import { expect, it } from "vitest";
import { emphasise } from "#components/ui/emphasise.ts";

const shown = (sentence: string, names: (string | undefined)[]) =>
  emphasise(sentence, names)
    .map(({ text, isStrong }) => (isStrong ? `[${text}]` : text))
    .join("");

it.each([
  {
    sentence: "releaser aborted shop/cart at 40 %",
    names: ["releaser", "shop/cart"],
    expected: "[releaser] aborted [shop/cart] at 40 %",
  },
  { sentence: "nothing to see", names: ["releaser", undefined, ""], expected: "nothing to see" },
  {
    sentence: "releaser aborted shop/cart",
    names: ["releaser", "shop/cart", "cart"],
    expected: "[releaser] aborted [shop/cart]",
  },
  { sentence: "a.b aborted (x|y)", names: ["a.b", "(x|y)"], expected: "[a.b] aborted [(x|y)]" },
  { sentence: "", names: ["releaser"], expected: "" },
])("marks names in: $sentence", ({ sentence, names, expected }) => {
  expect(shown(sentence, names)).toBe(expected);
});
