import { describe, expect, it } from "vitest";
import { ExpressionError } from "#lib/expr/errors.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { evaluateTime } from "./evaluate-time.ts";

type Case = { id: string; expression: string; expect: { time?: string; error?: { any: true } } };

it.each(loadCases<Case>("analysis-eval-time"))("$id $expression", ({ expression, expect: expected }) => {
  if (expected.time === undefined) expect(() => evaluateTime(expression, 0)).toThrow(ExpressionError);
  else expect(evaluateTime(expression)).toBe(Date.parse(expected.time));
});

describe("times", () => {
  it.each([
    ['now() - duration("1h30m")', "2026-01-01T10:30:00Z"],
    ['date("2026-03-29 12:00:00", "2006-01-02 15:04:05", "Europe/Berlin")', "2026-03-29T10:00:00Z"],
    ['date("2026-01-01T00:00:00+02:00")', "2025-12-31T22:00:00Z"],
    ["now().AddDate(0, 1, -1)", "2026-01-31T12:00:00Z"],
    ['now().Truncate(duration("24h"))', "2026-01-01T00:00:00Z"],
  ])("%s", (expression, time) => {
    expect(evaluateTime(expression, Date.parse("2026-01-01T12:00:00Z"))).toBe(Date.parse(time));
  });

  it.each([
    ["1", "expected time.Time, but got int"],
    ['date("soon")', "invalid date soon"],
    ['now() - duration("??")', 'time: invalid duration "??"'],
    ['date("2026", "2006", "Mars/Base")', "unknown time zone Mars/Base"],
    ["result", "unknown name result"],
  ])("%s: %s", (expression, message) => {
    expect(() => evaluateTime(expression, 0)).toThrow(message);
  });
});
