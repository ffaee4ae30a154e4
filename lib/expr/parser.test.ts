import { describe, expect, it } from "vitest";
import { ExpressionError } from "./errors.ts";
import { parseExpression } from "./parser.ts";
import { printExpression } from "./print.ts";

it.each([
  ["1 + 2 * 3", "(1 + (2 * 3))"],
  ["1 - 2 - 3", "((1 - 2) - 3)"],
  ["2 ** 3 ** 2", "(2 ** (3 ** 2))"],
  ["-2 ** 2", "(-(2 ** 2))"],
  ["not a == b", "((not a) == b)"],
  ["a or b and c", "(a or (b and c))"],
  ["a not in b", "(not (a in b))"],
  ["1 < a < 3", "((1 < a) && (a < 3))"],
  ["a ?: b", "(a ? a : b)"],
  ["a ? b : c ? d : e", "(a ? b : (c ? d : e))"],
  ["if a { 1 } else if b { 2 } else { 3 }", "(a ? 1 : (b ? 2 : 3))"],
  ["a | len() | max(3)", "max(len(a), 3)"],
  ["filter(a, .b > 1)", "filter(a, { (#.b > 1) })"],
  ["sum(a)", "sum(a)"],
  ["a?.b.c[0]", "a?.b.c[0]"],
  ["a.b?.[c]", "a.b?.[c]"],
  ["a[1:][:2]", "a[1:][:2]"],
  ["{a: 1, 'b c': 2, (d): 3, 4: 5,}", '{"a": 1, "b c": 2, (d): 3, "4": 5}'],
  ["let x = 1; x + 1", "(let x = 1; (x + 1))"],
  ["1; 2;", "(1; 2)"],
  ["1..3", "(1 .. 3)"],
  ["'\\u00e9\\x41\\101\\u{1F600}'", '"éAA😀"'],
  ["`a``b`", '"a`b"'],
  ["b'\\xff'", 'b"\\xff"'],
  ["a.matches", "a.matches"],
  ["/* c */ 1 // d", "1"],
  ["foo(1,)", "foo(1)"],
])("%s is %s", (source, printed) => {
  expect(printExpression(parseExpression(source).root)).toBe(printed);
  expect(printExpression(parseExpression(printed).root)).toBe(printed);
});

describe("refusals", () => {
  it.each([
    ["", "unexpected token EOF"],
    ["1 2", 'unexpected token Number("2")'],
    ["a.", "unexpected end of expression"],
    ["a.1 + b[", 'unexpected token Number(".1")'],
    ["true.x", 'unexpected token Operator(".")'],
    ["map(a)", "expected at least 2 arguments"],
    ["map(a, 1; 2)", "wrap predicate with brackets { and }"],
    ["a not b", 'unexpected token Identifier("b")'],
    ["{1 + 2: 3}", 'unexpected token Operator("+")'],
    [
      "{[]: 3}",
      'a map key must be a quoted string, a number, a identifier, or an expression enclosed in parentheses (unexpected token Bracket("["))',
    ],
    [
      "9223372036854775808",
      'invalid integer literal: strconv.ParseInt: parsing "9223372036854775808": value out of range',
    ],
    ["1e999", 'invalid float literal: strconv.ParseFloat: parsing "1e999": value out of range'],
    ["0x", 'invalid hex literal: strconv.ParseInt: parsing "0x": invalid syntax'],
    ["/* open", "unclosed comment"],
    ["#", 'unexpected token Operator("#")'],
    ["1 2 @", 'unexpected token Number("2")'],
  ])("%s", (source, message) => {
    const refusal = (): string | undefined => {
      try {
        parseExpression(source);
        return undefined;
      } catch (error) {
        return error instanceof ExpressionError && error.kind === "syntax" ? error.message : String(error);
      }
    };
    expect(refusal()).toBe(message);
  });

  it("counts nodes as expr does", () => {
    const many = `[${Array.from({ length: 10_000 }, () => "1").join(",")}]`;
    expect(() => parseExpression(many)).toThrow("compilation failed: expression exceeds maximum allowed nodes");
  });
});
