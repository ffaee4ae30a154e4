import { expect, it } from "vitest";
import { countBelow } from "./count-below.ts";

it.each<[number[], number, number]>([
  [[], 5, 0],
  [[1, 3, 3, 7], 0, 0],
  [[1, 3, 3, 7], 3, 1],
  [[1, 3, 3, 7], 4, 3],
  [[1, 3, 3, 7], 9, 4],
])("of %j, so many are below %i: %i", (sorted, value, count) => {
  expect(countBelow(sorted, value)).toBe(count);
});
