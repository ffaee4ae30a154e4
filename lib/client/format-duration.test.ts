import { describe, expect, it } from "vitest";
import {
  formatCoarsely,
  formatDuration,
  formatLength,
  formatSeconds,
  roundParts,
} from "#lib/client/format-duration.ts";

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

describe("formatLength", () => {
  it.each([
    { from: "08:32:47.600", to: "08:33:02.100", text: "15 s" },
    { from: "08:32:47.600", to: "08:32:51.100", text: "3.5 s" },
    { from: "08:00:00.000", to: "08:57:30.000", text: "57 min" },
  ])("writes $text", ({ from, to, text }) => {
    expect(formatLength(`2026-11-28T${from}Z`, `2026-11-28T${to}Z`)).toBe(text);
  });
});

describe("roundParts", () => {
  it.each([
    { name: "tenths", whole: 1, parts: [0.33, 0.33, 0.34], rounded: ["0.3 s", "0.3 s", "0.4 s"] },
    { name: "seconds", whole: 90, parts: [30.6, 59.4], rounded: ["31 s", "59 s"] },
    { name: "minutes", whole: 3_429, parts: [2.4, 1_137, 2_289.6], rounded: ["2.4 s", "19 min", "38 min"] },
    { name: "a part below the unit", whole: 3_430, parts: [50, 1_110, 2_270], rounded: ["50 s", "18 min", "38 min"] },
    { name: "minutes below ten", whole: 1_440, parts: [320, 1_120], rounded: ["5 min", "19 min"] },
    { name: "hours", whole: 100 * 3_600, parts: [99.5 * 3_600, 1_800], rounded: ["4 d 3 h", "30 min"] },
    { name: "nothing", whole: 0, parts: [0], rounded: ["0 s"] },
  ])("gives parts that add up to the whole: $name", ({ whole, parts, rounded }) => {
    expect(roundParts(parts, whole).map(formatSeconds)).toEqual(rounded);
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
