import { expect, it } from "vitest";
import { effectiveCount, int32Value, intValue } from "./int-or-string.ts";

it.each([
  [undefined, 0],
  [0, 0],
  [-1, -1],
  ["0", 0],
  ["-1", -1],
  ["+7", 7],
  ["", 0],
  ["three", 0],
  ["1.5", 0],
  [" 2", 0],
  ["1_000", 0],
])("intValue(%j) is %d", (value, expected) => {
  expect(intValue(value)).toBe(expected);
});

it("wraps limits at 32 bits as the controller's casts do", () => {
  expect(int32Value("2147483648")).toBe(-2147483648);
  expect(int32Value("99999999999999999999")).toBe(-1);
});

it.each([
  [{}, 1],
  [{ count: 0 }, 1],
  [{ count: 0, interval: "" }, 1],
  [{ count: "x" }, 1],
  [{ interval: "1m" }, undefined],
  [{ interval: "1m", count: 0 }, undefined],
  [{ interval: "1m", count: "0" }, undefined],
  [{ interval: "1m", count: "3" }, 3],
  [{ count: 2 }, 2],
])("effectiveCount(%j) is %s", (metric, expected) => {
  expect(effectiveCount(metric)).toBe(expected);
});
