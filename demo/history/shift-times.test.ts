import { expect, it } from "vitest";
import { daysUntil, shiftTimes } from "./shift-times.ts";

it("moves dates and leaves times of day, whatever their form", () => {
  const text =
    '{"at":"2026-01-31T23:59:59Z","b":"2026-02-28T00:00:00.123456+00:00","c":"\\"2026-01-05T07:00:01.5Z\\""}';
  expect(shiftTimes(text, 30)).toBe(
    '{"at":"2026-03-02T23:59:59Z","b":"2026-03-30T00:00:00.123456+00:00","c":"\\"2026-02-04T07:00:01.5Z\\""}',
  );
});

it("leaves what is no time", () => {
  const text = "v2026-01-05, build 2026-01-05, 12026-01-05T07:00:00Z";
  expect(shiftTimes(text, 1)).toBe(text);
});

it.each([
  ["2026-03-01T00:00:00Z", 0],
  ["2026-03-01T23:59:59Z", 0],
  ["2026-03-02T00:00:00Z", 1],
  ["2026-03-31T12:00:00Z", 30],
])("moves by whole days so that it ended on the day before %s", (now, days) => {
  expect(daysUntil(new Date(now), "2026-02-28T18:00:00Z")).toBe(days);
});
