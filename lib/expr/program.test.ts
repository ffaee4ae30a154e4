import { describe, expect, it } from "vitest";
import { loadCases } from "#test/fixtures/conformance/load-cases.ts";
import { Budget } from "./budget.ts";
import { conditionEnvironment } from "./environment.ts";
import { ExpressionError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import { type GoValue, typeName } from "./go-value.ts";
import { compileProgram } from "./program.ts";
import { goValueOf, type TypedValue } from "./typed-value.ts";

const now = BigInt(Date.parse("2026-01-01T00:00:00Z")) * 1_000_000n;

function run(source: string, result: GoValue): GoValue {
  return compileProgram(source, conditionEnvironment(result))(result, now);
}

/** Returns the Go type and text of the outcome, or the error. */
function outcome(source: string, result: GoValue): { type: string; value: string } | { error: string } {
  try {
    const value = run(source, result);
    return { type: typeName(value), value: formatValue(value, new Budget()) };
  } catch (error) {
    if (error instanceof ExpressionError) return { error: error.message };
    throw error;
  }
}

type Case = {
  id: string;
  result: TypedValue;
  condition: string;
  expect: { type: string; value: string } | { error: string };
};

it("agrees with the Go engine on generated expressions", () => {
  const cases = loadCases<Case>("expr-differential");
  const differing = cases.flatMap(({ id, condition, result, expect: expected }) => {
    const actual = outcome(condition, goValueOf(result));
    return JSON.stringify(actual) === JSON.stringify(expected) ? [] : [{ id, condition, actual, expected }];
  });
  expect(differing).toEqual([]);
});

describe("language", () => {
  const result = goValueOf({ type: "json", value: { a: 1, list: [1, 2, 3], text: "héllo", none: null } });

  it.each<[string, string, string]>([
    ["5 / 2", "float64", "2.5"],
    ["7 % -3", "int", "1"],
    ["2 ** 3 ** 2", "float64", "512"],
    ["-2 ** 2", "float64", "-4"],
    ["9223372036854775807 + 1", "int", "-9223372036854775808"],
    ["0x10 + 0b11 + 0o7 + 1_000", "int", "1026"],
    ["1 < 2 < 3", "bool", "true"],
    ["not (1 in [1, 2])", "bool", "false"],
    ["3 not in result.list", "bool", "false"],
    ["result.none ?? 'x'", "string", "x"],
    ["result?.none?.deep", "<nil>", "<nil>"],
    ["result.text[0:1]", "string", "h"],
    ["len(result.text)", "int", "5"],
    ["result.text matches '^h.*o$'", "bool", "true"],
    ["result.list | filter(# > 1) | map(# * 10) | sum()", "float64", "50"],
    ["let x = 2; let y = x + 1; x * y", "int", "6"],
    ["1; 2; 3", "int", "3"],
    ["if result.a == 1 { 'one' } else { 'more' }", "string", "one"],
    ["reduce(1..4, #acc * #, 1)", "int", "24"],
    ["map(result.list, #index)", "[]interface {}", "[0 1 2]"],
    ["{a: 1, 'b c': [2]}['b c'][0]", "int", "2"],
    ["groupBy(result.list, # > 1)[true]", "[]interface {}", "[2 3]"],
    ["sortBy(result.list, -#)", "[]interface {}", "[3 2 1]"],
    ["b'a\\xff'[1]", "uint8", "255"],
    ["'it''s' == `it's`", "error", 'unexpected token String("s")'],
    ["result.list[5]", "error", "index out of range: 5 (array length is 3)"],
    ["find(result.list, # > 9)", "<nil>", "<nil>"],
    ["1 == findLastIndex(result.list, # > 1)", "error", "interface conversion: interface {} is bool, not int"],
    ['date("2024-02-29").Format("Mon, 02 Jan 2006")', "string", "Thu, 29 Feb 2024"],
    ["duration('90m').Hours()", "float64", "1.5"],
    ["now().Year()", "int", "2026"],
    ["toJSON({b: 1, a: '<'})", "string", '{\n  "a": "\\u003c",\n  "b": 1\n}'],
    ["fromJSON('[1, {\"x\": 2}]')[1].x", "float64", "2"],
    ["1 // comment", "int", "1"],
    ["true && 5", "error", "invalid operation: && (mismatched types bool and int)"],
    ["$env.result.a", "float64", "1"],
  ])("%s", (source, type, value) => {
    expect(outcome(source, result)).toEqual(type === "error" ? { error: value } : { type, value });
  });
});

describe("errors", () => {
  it.each([
    ["1 +", "syntax", "unexpected token EOF", 1, 3],
    ["a\n + b", "type", "unknown name a", 1, 1],
    ["1 == 1 &&\n  foo", "type", "unknown name foo", 2, 3],
    ["result.x.y", "runtime", "cannot fetch y from <nil>", 1, 10],
    ['"é" + "\\q"', "syntax", "invalid char escape", 1, 9],
    ["1 % 0", "type", "integer divide by zero", 1, 3],
    ["5 % (1 - len([1]))", "runtime", "runtime error: integer divide by zero", 1, 3],
    ["'a' matches '('", "type", "error parsing regexp: missing closing ): `(`", 1, 5],
    ["1 @ 2", "syntax", "unrecognized character: U+0040 '@'", 1, 3],
    ["1a", "syntax", 'bad number syntax: "1a"', 1, 2],
    ["'open", "syntax", "literal not terminated", 1, 5],
    ["a ?? b + 1", "syntax", coalesceText, 1, 8],
  ])("%s", (source, kind, message, line, column) => {
    try {
      run(source, goValueOf({ type: "json", value: {} }));
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ExpressionError);
      expect(error).toMatchObject({ kind, message, position: { line, column } });
    }
  });
});

const coalesceText = "Operator (+) and coalesce expressions (??) cannot be mixed. Wrap either by parentheses.";

describe("budget", () => {
  const deep = 20_000;
  const list = goValueOf({ type: "[]float64", value: Array.from({ length: 1000 }, (_, index) => index) });

  it.each<[string, string]>([
    ["nested loops", "all(result, all(result, all(result, # >= 0)))"],
    ["a long range", "len(map(1..900000, # * 2 + 1))"],
    ["ranges upon ranges", "map(1..1000, map(1..1000, #))"],
    ["text that doubles", 'reduce(1..60, #acc + #acc, "aaaaaaaa")'],
    ["lists that double", "reduce(1..60, [#acc, #acc], [1]) == reduce(1..60, [#acc, #acc], [1])"],
    ["printing a list that doubles", "len(string(reduce(1..60, [#acc, #acc], [1])))"],
    ["a huge repeat", 'len(repeat("abc", 900000))'],
    ["unique elements", "len(uniq(1..5000))"],
    ["open brackets", "(".repeat(deep)],
    ["signs", "-".repeat(deep)],
    ["a long sum", `1${" + 1".repeat(deep)}`],
    ["a long text", `"${"a".repeat(200_000)}"`],
    ["lists in lists", `${"[".repeat(deep)}${"]".repeat(deep)}`],
    ["members", `result${".a".repeat(deep)}`],
    ["nested predicates", `${"map(result, ".repeat(200)}1${")".repeat(200)}`],
    ["a large pattern", `"${"a".repeat(50)}" matches "${"(a?){1000}".repeat(20)}"`],
    ["a pattern on long text", 'repeat("a", 99999) matches "(a|aa|aaa|b.*c)*[x-z]{50}$"'],
    ["patterns made in a loop", 'count(1..100000, "aaaa" matches ("(a?){100}" + string(#)))'],
    ["many patterns", Array.from({ length: 100 }, () => '"a" matches "(a?b?c?){100}"').join(" && ")],
    ["a pattern of Unicode classes", `"a" matches "(?i)${"[\\\\pL\\\\PN]".repeat(110)}"`],
    ["sorting", "sort(map(1..200000, -#))[0]"],
    ["splitting", 'len(split(repeat("a,", 400000), ","))'],
    ["json", 'fromJSON(repeat("[", 100000))'],
  ])("%s ends in an error within 50 ms of work", (_, source) => {
    // Measures the CPU time of this thread and takes the best of a few attempts: other load must not fail the test.
    const attempts = Array.from({ length: 5 }, () => {
      const started = process.threadCpuUsage();
      expect(() => run(source, list)).toThrow(ExpressionError);
      const { user, system } = process.threadCpuUsage(started);
      return (user + system) / 1000;
    });
    expect(Math.min(...attempts)).toBeLessThan(50);
  });
});
