import { expect, it } from "vitest";
import { computeDurationSeconds } from "./compute-duration.ts";

const at = (seconds: number): Date => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);

it.each([
  { name: "forwards", start: at(1), end: at(3.5), seconds: 2.5 },
  { name: "no time at all", start: at(1), end: at(1), seconds: 0 },
  { name: "inverted", start: at(2), end: at(1), seconds: null },
  { name: "not ended", start: at(1), end: null, seconds: null },
  { name: "no start", start: null, end: at(1), seconds: null },
  { name: "a time that is none", start: new Date("x"), end: at(1), seconds: null },
])("$name: $seconds", ({ start, end, seconds }) => {
  expect(computeDurationSeconds(start, end)).toBe(seconds);
});
