import { describe, expect, it } from "vitest";
import { formatCoarsely, formatDuration, formatSeconds } from "#lib/client/format-duration.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("formatDuration", () => {
  it.each([
    { length: -5, text: "0 s" },
    { length: 0, text: "0 s" },
    { length: 59_999, text: "59 s" },
    { length: minute, text: "1 min" },
    { length: 90_000, text: "1 min 30 s" },
    { length: 14 * minute + 59_000, text: "14 min" },
    { length: 2 * hour, text: "2 h" },
    { length: 2 * hour + 5 * minute, text: "2 h 5 min" },
    { length: 3 * day + 4 * hour, text: "3 d 4 h" },
    { length: 40 * day + 4 * hour, text: "40 d" },
  ])("writes $text", ({ length, text }) => {
    expect(formatDuration(length)).toBe(text);
  });
});

describe("formatSeconds", () => {
  it.each([
    { seconds: 0.04, text: "0 s" },
    { seconds: 1.24, text: "1.2 s" },
    { seconds: 61, text: "1 min 1 s" },
  ])("writes $text", ({ seconds, text }) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

describe("formatCoarsely", () => {
  it.each([
    { length: -5, text: "0 s" },
    { length: 500, text: "0 s" },
    { length: 59_999, text: "59 s" },
    { length: minute + 59_000, text: "1 min" },
    { length: hour - 1, text: "59 min" },
    { length: 9 * hour + 30 * minute, text: "9 h" },
    { length: 3 * day + 23 * hour, text: "3 d" },
    { length: 40 * day, text: "40 d" },
  ])("writes $text", ({ length, text }) => {
    expect(formatCoarsely(length)).toBe(text);
  });
});
