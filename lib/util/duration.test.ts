import { describe, expect, it } from "vitest";
import {
  computeDurationSeconds,
  formatDurationMs,
  formatGoDuration,
  parseDurationMs,
  parseGoDuration,
} from "./duration.ts";

describe("parseGoDuration", () => {
  describe("parseGoDuration", () => {
    it.each([
      ["0", 0n],
      ["+0", 0n],
      ["5s", 5_000_000_000n],
      ["1h30m", 5_400_000_000_000n],
      ["500ms", 500_000_000n],
      ["1.5h", 5_400_000_000_000n],
      [".5s", 500_000_000n],
      ["5.s", 5_000_000_000n],
      ["-1.5s", -1_500_000_000n],
      ["12µs", 12_000n],
      ["0.3333333333333333333h", 1_200_000_000_000n],
      ["9223372036854775807ns", 2n ** 63n - 1n],
      ["-9223372036854775808ns", -(2n ** 63n)],
    ])("reads %s", (text, nanoseconds) => {
      expect(parseGoDuration(text)).toEqual({ nanoseconds });
    });

    it.each([
      ["", 'time: invalid duration ""'],
      ["??", 'time: invalid duration "??"'],
      ["3", 'time: missing unit in duration "3"'],
      ["1d", 'time: unknown unit "d" in duration "1d"'],
      [".s", 'time: invalid duration ".s"'],
      ["-", 'time: invalid duration "-"'],
      ["1s constructor", 'time: unknown unit "s constructor" in duration "1s constructor"'],
      ["9223372036854775808ns", 'time: invalid duration "9223372036854775808ns"'],
      ["é", 'time: invalid duration "\\xc3\\xa9"'],
    ])("refuses %s", (text, error) => {
      expect(parseGoDuration(text)).toEqual({ error });
    });
  });

  it.each([
    [0n, "0s"],
    [1n, "1ns"],
    [1_500n, "1.5µs"],
    [500_000_000n, "500ms"],
    [1_500_000_000n, "1.5s"],
    [5_400_000_000_000n, "1h30m0s"],
    [-60_000_000_000n, "-1m0s"],
  ])("formats %s as %s", (nanoseconds, text) => {
    expect(formatGoDuration(nanoseconds)).toBe(text);
  });

  it("converts milliseconds both ways", () => {
    expect(parseDurationMs("1m30s")).toBe(90_000);
    expect(parseDurationMs("250us")).toBe(0.25);
    expect(parseDurationMs("soon")).toBeUndefined();
    expect(formatDurationMs(90_000)).toBe("1m30s");
    expect(formatDurationMs(0.25)).toBe("250µs");
  });
});

describe("computeDurationSeconds", () => {
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
});
