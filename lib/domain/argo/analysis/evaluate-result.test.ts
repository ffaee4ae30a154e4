import { describe, expect, it } from "vitest";
import { ExpressionError } from "#lib/expr/errors.ts";
import { goValueOf, type TypedValue } from "#lib/expr/typed-value.ts";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { evaluateCondition, evaluateResult, evaluateTime } from "./evaluate-result.ts";
import type { AnalysisPhase } from "./types.ts";

type Text = null | string | { equals?: string; contains?: string[]; matches?: string; any?: true };

/** Compares a text with the cases file's expectation: exact, all substrings, a pattern, or just any. */
function expectText(actual: string | undefined, expected: Text | undefined): void {
  if (expected === undefined || expected === null) expect(actual).toBeUndefined();
  else if (typeof expected === "string") expect(actual).toBe(expected);
  else if (expected.equals !== undefined) expect(actual).toBe(expected.equals);
  else if (expected.matches !== undefined) expect(actual).toMatch(new RegExp(expected.matches));
  else for (const part of expected.contains ?? [""]) expect(actual).toContain(part);
}

type ResultCase = {
  id: string;
  result: TypedValue;
  successCondition: string;
  failureCondition: string;
  expect: { phase: AnalysisPhase; error?: Text; rawError?: string };
};

const resultCases = ["analysis-evaluate-result", "analysis-observed-condition"].flatMap((name) => [
  ...loadCases<ResultCase>(name),
]);

it.each(resultCases)("$id $successCondition | $failureCondition", (testCase) => {
  const evaluation = evaluateResult(testCase);
  expect(evaluation.phase).toBe(testCase.expect.phase);
  expectText(evaluation.message, testCase.expect.error);
  if (testCase.expect.rawError !== undefined) expect(evaluation.error?.text).toBe(testCase.expect.rawError);
});

type ConditionCase = { id: string; result: TypedValue; condition: string; expect: { value: boolean; error?: Text } };

it.each(loadCases<ConditionCase>("analysis-eval-condition"))("$id $condition", (testCase) => {
  const evaluate = (): boolean =>
    evaluateCondition({ result: goValueOf(testCase.result), condition: testCase.condition });
  if (testCase.expect.error === undefined) expect(evaluate()).toBe(testCase.expect.value);
  else expectText(thrownBy(evaluate), testCase.expect.error);
});

function thrownBy(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof ExpressionError) return error.message;
    throw error;
  }
}

type ProviderCase = {
  id: string;
  provider: string;
  result?: TypedValue;
  successCondition: string;
  failureCondition: string;
  expect: { phase: AnalysisPhase; message?: Text };
};

const providerCases = loadCases<ProviderCase>("analysis-provider-measurement").flatMap((testCase) =>
  testCase.result === undefined ? [] : [{ ...testCase, result: testCase.result }],
);

it.each(providerCases)("$id $provider $successCondition", (testCase) => {
  const evaluation = evaluateResult(testCase);
  expect(evaluation.phase).toBe(testCase.expect.phase);
  if (testCase.expect.message !== undefined) expectText(evaluation.message, testCase.expect.message);
});

describe("errors", () => {
  it("says where, and keeps the engine's own text beside the wrapped one", () => {
    const evaluation = evaluateResult({
      result: { type: "json", value: {} },
      failureCondition: "1 == 2 ||\n result.a.b",
    });
    expect(evaluation).toEqual({
      phase: "Error",
      message: 'could not evaluate failureCondition "1 == 2 ||\n result.a.b": cannot fetch b from <nil>',
      error: {
        condition: "failureCondition",
        text: "cannot fetch b from <nil>",
        kind: "runtime",
        position: { line: 2, column: 11 },
      },
    });
  });

  it("has no time unless one is given", () => {
    const condition = 'now() > date("2026-01-01")';
    const result: TypedValue = { type: "nil" };
    expect(evaluateResult({ result, successCondition: condition }).error?.kind).toBe("unsupported");
    const now = Date.parse("2026-01-02");
    expect(evaluateResult({ result, successCondition: condition, now }).phase).toBe("Successful");
  });
});

describe("evaluateTime", () => {
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
});
