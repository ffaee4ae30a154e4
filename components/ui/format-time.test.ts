import { describe, expect, it } from "vitest";
import {
  formatClock,
  formatExact,
  formatGap,
  formatOffset,
  formatRelative,
  wordTimes,
} from "#components/ui/format-time.ts";

describe("formatRelative", () => {
  const minute = 60_000;
  const hour = 60 * minute;

  describe("formatRelative", () => {
    it.each([
      { ago: 0, text: "just now" },
      { ago: 5_000, text: "5 s ago" },
      { ago: 90_000, text: "1 min ago" },
      { ago: -90_000, text: "in 1 min" },
      { ago: 25 * hour, text: "1 d ago" },
    ])("writes $text", ({ ago, text }) => {
      expect(formatRelative(1_000_000_000 - ago, 1_000_000_000)).toBe(text);
    });
  });

  it("shows a time that cannot be read as it stands", () => {
    expect(formatExact("yesterday")).toBe("yesterday");
  });

  it.each([
    { at: "2026-11-23T07:00:04.000Z", hasFraction: false },
    { at: "2026-11-23T07:00:04Z", hasFraction: false },
    { at: "2026-11-23T07:00:04.120Z", hasFraction: true },
  ])("writes milliseconds only if there are any: $at", ({ at, hasFraction }) => {
    expect(/:00:04\.120/.test(formatExact(at))).toBe(hasFraction);
    expect(formatExact(at)).toContain(":00:04");
    expect(formatExact(at)).not.toContain(".000");
  });

  describe("formatOffset", () => {
    it.each([
      { at: 0, text: "+0 s" },
      { at: 12_340, text: "+12.3 s" },
      { at: 13_000, text: "+13 s" },
      { at: 59_980, text: "+1 min 0 s" },
      { at: 125_400, text: "+2 min 5 s" },
      { at: 3 * hour + 61_000, text: "+3 h 1 min 1 s" },
      { at: -1_000, text: "−1 s" },
      { at: -40, text: "+0 s" },
    ])("writes $text", ({ at, text }) => {
      expect(formatOffset(at, 0)).toBe(text);
    });
  });

  describe("wordTimes", () => {
    const until = "2026-11-23T07:00:00.000Z";

    it.each([
      { sentence: `Frozen by "weekend" until ${until}.`, text: `Frozen by "weekend" until ${formatExact(until)}.` },
      { sentence: `${until} and ${until}`, text: `${formatExact(until)} and ${formatExact(until)}` },
      { sentence: "Not before 2026-11-23.", text: "Not before 2026-11-23." },
      { sentence: "Version x2026-11-23T07:00:00Z", text: "Version x2026-11-23T07:00:00Z" },
    ])("writes $text", ({ sentence, text }) => {
      expect(wordTimes(sentence)).toBe(text);
    });
  });
});

describe("formatClock", () => {
  const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();

  it.each([
    { nowMs: at(23, 9), atMs: at(23, 14, 30), text: "14:30" },
    { nowMs: at(23, 23, 59), atMs: at(24, 0, 5), text: "Tue 24 Nov, 00:05" },
    { nowMs: at(23, 15), atMs: at(24, 9), text: "Tue 24 Nov, 09:00" },
  ])("writes $text", ({ nowMs, atMs, text }) => {
    expect(formatClock(atMs, nowMs)).toBe(text);
  });
});

describe("formatGap", () => {
  it.each([
    [{ afterSeq: 0, count: 1 }, "1 measurement lost"],
    [{ afterSeq: 0, count: 4, open: false }, "4 measurements lost"],
    [{ afterSeq: 3, count: 0, open: true }, "measurements may be missing here: not observed"],
    [{ afterSeq: 3, count: 1, open: true }, "at least 1 measurement lost"],
  ])("%j: %s", (gap, words) => {
    expect(formatGap(gap)).toBe(words);
  });
});
