import { expect, it } from "vitest";
import { formatDifference } from "#components/charts/format-difference.ts";

it.each([
  { difference: 0, text: "0" },
  { difference: 0.96 - 0.94, text: "+0.02" },
  { difference: 0.9274 - 0.96, text: "\u22120.0326" },
  { difference: -1200, text: "\u22121200" },
  { difference: 123_456, text: "+123500" },
  { difference: Number.NaN, text: "unknown" },
])("writes $text", ({ difference, text }) => {
  expect(formatDifference(difference)).toBe(text);
});
