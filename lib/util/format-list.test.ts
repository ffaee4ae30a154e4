import { expect, it } from "vitest";
import { formatList } from "#lib/util/format-list.ts";

it.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j is %s", (items, text) => {
  expect(formatList(items)).toBe(text);
});
