import { describe, expect, it } from "vitest";
import { Budget } from "./budget.ts";
import { builtinNames } from "./builtin-names.ts";
import { conditionEnvironment } from "./environment.ts";
import { ExpressionError } from "./errors.ts";
import { formatValue } from "./format-value.ts";
import { typeName } from "./go-value.ts";
import { compileProgram } from "./program.ts";
import { goValueOf } from "./typed-value.ts";

const now = BigInt(Date.parse("2026-01-01T12:30:00Z")) * 1_000_000n;
const result = goValueOf({
  type: "json",
  value: {
    rate: 0.97,
    list: [3, 1, 2],
    rows: [
      { v: 1, tag: "a" },
      { v: 5, tag: "b" },
    ],
    text: "Hello",
    none: null,
  },
});

/** Returns the outcome as `type value` in Go's notation, or `error: ` with the text. */
function outcome(source: string): string {
  try {
    const value = compileProgram(source, conditionEnvironment(result))(result, now);
    return `${typeName(value)} ${formatValue(value, new Budget())}`;
  } catch (error) {
    if (error instanceof ExpressionError) return `error: ${error.message}`;
    throw error;
  }
}

const items: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  literals: [
    ["1", "int 1"],
    ["1.5", "float64 1.5"],
    ["1e3", "float64 1000"],
    ["0xff", "int 255"],
    ["'a\\tb'", "string a\tb"],
    ["`raw\\n`", "string raw\\n"],
    ["nil", "<nil> <nil>"],
    ["true and not false", "bool true"],
    ["[1, 'x']", "[]interface {} [1 x]"],
    ["{a: 1}.a", "int 1"],
  ],
  arithmetic: [
    ["4 / 2", "float64 2"],
    ["1 / 0", "float64 +Inf"],
    ["-1 / 0", "float64 -Inf"],
    ["isNaN(0 / 0)", "bool true"],
    ["7 % 4", "int 3"],
    ["2 ** 10", "float64 1024"],
    ["2 ^ 3", "float64 8"],
    ["1 + 1.5", "float64 2.5"],
    ["1 == 1.0", "bool true"],
    ["'a' + 'b'", "string ab"],
  ],
  "comparison and logic": [
    ["1 != 2", "bool true"],
    ["'a' < 'b'", "bool true"],
    ["true && false || true", "bool true"],
    ["!true", "bool false"],
    ["1 < 2 <= 2", "bool true"],
    ["0/0 == 0/0", "bool false"],
  ],
  "in, matches, contains, startsWith, endsWith": [
    ["1 in result.list", "bool true"],
    ["'rate' in result", "bool true"],
    ["9 not in result.list", "bool true"],
    ["result.text matches '^H.+o$'", "bool true"],
    ["result.text not matches '^x'", "bool true"],
    ["result.text contains 'ell'", "bool true"],
    ["result.text startsWith 'He'", "bool true"],
    ["result.text endsWith 'lo'", "bool true"],
  ],
  "??, ?., | and ternary": [
    ["result.none ?? 7", "int 7"],
    ["result.none?.deep.deeper", "<nil> <nil>"],
    ["result?.['none']", "<nil> <nil>"],
    ["result.list | len", "error: unexpected token EOF"],
    ["result.list | len()", "int 3"],
    ["result.rate > 0.9 ? 'good' : 'bad'", "string good"],
    ["result.none ?: 'other'", "error: interface conversion: interface {} is nil, not bool"],
    ["if false { 1 } else if true { 2 } else { 3 }", "int 2"],
  ],
  "ranges, members, index and slices": [
    ["1..4", "[]int [1 2 3 4]"],
    ["result.list[-1]", "float64 2"],
    ["result.list[1:]", "[]interface {} [1 2]"],
    ["result.list[:-1]", "[]interface {} [3 1]"],
    ["result.list[0:9]", "[]interface {} [3 1 2]"],
    ["result['rate']", "float64 0.97"],
    ["result.rows[1].tag", "string b"],
    ["result.nothing", "<nil> <nil>"],
    ["result.list[3]", "error: index out of range: 3 (array length is 3)"],
  ],
  "predicates and closures": [
    ["all(result.list, # > 0)", "bool true"],
    ["none(result.list, {# > 5})", "bool true"],
    ["any(result.rows, .v > 4)", "bool true"],
    ["one(result.rows, .tag == 'a')", "bool true"],
    ["filter(result.list, # > 1)", "[]interface {} [3 2]"],
    ["map(result.rows, .v * 2)", "[]interface {} [2 10]"],
    ["count(result.list, # >= 2)", "int 2"],
    ["sum(result.rows, .v)", "float64 6"],
    ["find(result.list, # < 3)", "float64 1"],
    ["findIndex(result.list, # < 3)", "int 1"],
    ["findLast(result.list, # < 3)", "float64 2"],
    ["findLastIndex(result.list, # < 3)", "int 2"],
    ["groupBy(result.rows, .tag).b[0].v", "float64 5"],
    ["sortBy(result.rows, .v, 'desc')[0].tag", "string b"],
    ["reduce(result.list, #acc + #, 10)", "float64 16"],
    ["map(result.list, #index * 2)", "[]interface {} [0 2 4]"],
  ],
  "let and sequence": [
    ["let x = result.rate; x > 0.9", "bool true"],
    ["let result = 1; result", "error: cannot redeclare result"],
    ["1; 'last'", "string last"],
  ],
  "Argo's own functions": [
    ["asInt('12')", "int64 12"],
    ["asInt(2.9)", "int64 2"],
    ["asFloat('1.5')", "float64 1.5"],
    ["isNaN(asFloat('NaN'))", "bool true"],
    ["isInf(1 / 0)", "bool true"],
    ["isInf(asFloat('1'))", "bool false"],
    ["isNil(nil)", "bool false"],
    ["default(nil, 5) == 5", "bool false"],
    ["asInt([1])", "error: asInt() not supported on []interface {} [1]"],
  ],
  "numbers and kinds": [
    ["len('héé')", "int 3"],
    ["type(1.5)", "string float"],
    ["abs(-3)", "int 3"],
    ["ceil(1.2)", "float64 2"],
    ["floor(1.8)", "float64 1"],
    ["round(2.5)", "float64 3"],
    ["int('42')", "int 42"],
    ["float('0.5')", "float64 0.5"],
    ["string(1.5)", "string 1.5"],
    ["max(1, 5, 3)", "int 5"],
    ["min([4, 2])", "int 2"],
    ["mean([1, 2])", "float64 1.5"],
    ["median([3, 1, 2])", "float64 2"],
    ["bitand(6, 3)", "int 2"],
    ["bitor(6, 1)", "int 7"],
    ["bitxor(6, 3)", "int 5"],
    ["bitnand(6, 3)", "int 4"],
    ["bitnot(0)", "int -1"],
    ["bitshl(1, 4)", "int 16"],
    ["bitshr(-16, 2)", "int -4"],
    ["bitushr(16, 2)", "int 4"],
  ],
  text: [
    ["trim('  a ')", "string a"],
    ["trimPrefix('v1', 'v')", "string 1"],
    ["trimSuffix('a.go', '.go')", "string a"],
    ["upper('a')", "string A"],
    ["lower('A')", "string a"],
    ["split('a,b', ',')", "[]string [a b]"],
    ["splitAfter('a,b', ',')", "[]string [a, b]"],
    ["replace('aa', 'a', 'b')", "string bb"],
    ["repeat('ab', 2)", "string abab"],
    ["join(['a', 'b'], '-')", "string a-b"],
    ["indexOf('abc', 'c')", "int 2"],
    ["lastIndexOf('abab', 'b')", "int 3"],
    ["hasPrefix('abc', 'a')", "bool true"],
    ["hasSuffix('abc', 'c')", "bool true"],
    ["toJSON([1])", "string [\n  1\n]"],
    ["fromJSON('{\"a\": 1}').a", "float64 1"],
    ["toBase64('hi')", "string aGk="],
    ["fromBase64('aGk=')", "string hi"],
  ],
  "lists and maps": [
    ["first([1, 2])", "int 1"],
    ["last([1, 2])", "int 2"],
    ["get({a: 1}, 'b')", "<nil> <nil>"],
    ["take([1, 2, 3], 2)", "[]interface {} [1 2]"],
    ["len(keys({a: 1, b: 2}))", "int 2"],
    ["sum(values({a: 1, b: 2}))", "int 3"],
    ["toPairs({a: 1})", "[][2]interface {} [[a 1]]"],
    ["fromPairs([['a', 1]]).a", "int 1"],
    ["reverse([1, 2])", "[]interface {} [2 1]"],
    ["uniq([1, 1, 2])", "[]interface {} [1 2]"],
    ["concat([1], [2])", "[]interface {} [1 2]"],
    ["flatten([[1], [2, [3]]])", "[]interface {} [1 2 3]"],
    ["sort([3, 1], 'desc')", "[]interface {} [3 1]"],
  ],
  time: [
    ["now().Hour()", "int 12"],
    ["duration('1h30m').Minutes()", "float64 90"],
    ["date('2026-02-01') > now()", "bool true"],
    ["date('2026-02-01').Sub(date('2026-01-31')).Hours()", "float64 24"],
    ["timezone('UTC').String()", "string UTC"],
  ],
};

describe.each(Object.keys(items))("%s", (item) => {
  it.each(items[item] ?? [])("%s", (source, expected) => {
    expect(outcome(source)).toBe(expected);
  });
});

it("has a row for every builtin", () => {
  const sources = Object.values(items).flatMap((rows) => rows.map(([source]) => source));
  const called = new Set(sources.flatMap((source) => source.match(/\b\w+(?=\()/g) ?? []));
  expect([...builtinNames].filter((name) => !called.has(name))).toEqual([]);
});
