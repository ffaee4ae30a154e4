import { expect, it } from "vitest";
import { formatClock } from "#components/actions/format-clock.ts";

const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

it.each([
  { nowMs: at(23, 9), atMs: at(23, 14, 30), text: "14:30" },
  { nowMs: at(23, 23, 59), atMs: at(24, 0, 5), text: "Tue 24 Nov, 00:05" },
  { nowMs: at(23, 15), atMs: at(24, 9), text: "Tue 24 Nov, 09:00" },
])("writes $text", ({ nowMs, atMs, text }) => {
  expect(formatClock(atMs, nowMs)).toBe(text);
});
