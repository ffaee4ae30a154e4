import { expect, it } from "vitest";
import type { Threshold } from "#lib/domain/delivery/explaining.ts";
import { thresholdsOf } from "./thresholds.ts";

function threshold(accessor: string, operator: Threshold["operator"], text: string, more: Partial<Threshold> = {}) {
  const region = { "<": "below", "<=": "below", ">": "above", ">=": "above", "==": "at", "!=": "other" }[operator];
  const inclusive = ["<=", ">=", "=="].includes(operator);
  return { condition: "success", accessor, operator, value: Number(text), text, inclusive, region, ...more };
}

it.each([
  ["result[0] >= 0.95", [threshold("result[0]", ">=", "0.95")]],
  ["result < 10", [threshold("result", "<", "10")]],
  ["result == 0", [threshold("result", "==", "0")]],
  ["0.95 <= result[0]", [threshold("result[0]", ">=", "0.95")]],
  ["result > -1.5e3", [threshold("result", ">", "-1.5e3")]],
  ["result >= 1.50", [threshold("result", ">=", "1.50")]],
  ["default(result, 0) < 0.05", [threshold("default(result, 0)", "<", "0.05")]],
  ["result['average.duration'] < 15", [threshold('result["average.duration"]', "<", "15")]],
  ["result.errors / result.total < 0.1", [threshold("result.errors / result.total", "<", "0.1")]],
  ["(result.a + 1) * (result.b + 2) != 3", [threshold("(result.a + 1) * (result.b + 2)", "!=", "3")]],
  ["1 < result < 10", [threshold("result", ">", "1"), threshold("result", "<", "10")]],
  ["result[0] >= 0.95 && result[0] < 1.5", [threshold("result[0]", ">=", "0.95"), threshold("result[0]", "<", "1.5")]],
  ["result.a > 1 or result.b < 2", [threshold("result.a", ">", "1"), threshold("result.b", "<", "2")]],
])("%s", (condition, thresholds) => {
  expect(thresholdsOf(condition)).toEqual({ thresholds, isComplete: true });
});

it.each([
  ["isNaN(result) || result >= 0.9", [threshold("result", ">=", "0.9")]],
  ["all(result, # > 0.9)", []],
  ["not (result > 1)", []],
  ["1 < 2", []],
  ["result > limit", []],
  ["result == 'ok'", []],
  ["result >", []],
])("%s is only partly a threshold", (condition, thresholds) => {
  expect(thresholdsOf(condition)).toEqual({ thresholds, isComplete: false });
});

it("keeps the two conditions apart", () => {
  expect(thresholdsOf("result >= 0.9", "result < 0.5")).toEqual({
    thresholds: [threshold("result", ">=", "0.9"), threshold("result", "<", "0.5", { condition: "failure" })],
    isComplete: true,
  });
  expect(thresholdsOf(undefined, "  ")).toEqual({ thresholds: [], isComplete: true });
});
