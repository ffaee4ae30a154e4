import fc from "fast-check";
import { expect, it } from "vitest";
import { conditionEnvironment } from "./environment.ts";
import { ExpressionError } from "./errors.ts";
import type { GoValue } from "./go-value.ts";
import { parseExpression } from "./parser.ts";
import { printExpression } from "./print.ts";
import { compileProgram } from "./program.ts";
import { goValueOf } from "./typed-value.ts";

const results = [
  goValueOf({ type: "float64", value: 0.97 }),
  goValueOf({ type: "[]float64", value: [1, "NaN", 3] }),
  goValueOf({ type: "json", value: { a: 1, list: [{ v: 1 }, { v: 2 }], text: "x", none: null } }),
  null,
];

function run(source: string, result: GoValue): GoValue {
  return compileProgram(source, conditionEnvironment(result))(result, 0n);
}

const words = [
  ..."result result.a result[0] result.list # #acc #index .v 1 2.5 'a' nil true [1] {a:1} 1..9 now() \"x".split(" "),
  ..."+ - * / % ** == != < >= && || ! not in ?? ?. ? : | . .. , ; ( ) [ ] { } let x = if else matches contains".split(
    " ",
  ),
  ..."all any map filter reduce sortBy groupBy find findLast count sum len max string sort first repeat split".split(
    " ",
  ),
  ..."asInt asFloat isNaN default $env :: b'\\xff' /* // ` 1e999 0x 9999999999999999999".split(" "),
];

/** Texts that range from noise to almost valid programs. */
const source = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(" ")),
  fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join("")),
);

/**
 * Far above the 50 ms that an expression may take, so that a busy machine does not fail the tests; a hang takes longer.
 */
const hangMs = 2_000;

it("throws nothing but its own error, and never hangs", () => {
  fc.assert(
    fc.property(source, fc.constantFrom(...results), (text, result) => {
      const started = performance.now();
      try {
        run(text, result);
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
      }
      expect(performance.now() - started).toBeLessThan(hangMs);
    }),
    { numRuns: 3000 },
  );
});

type Tree = { readonly text: string };

/** Programs that parse, with every kind of node. */
const { program } = fc.letrec<{ program: Tree }>((tie) => {
  const sub = tie("program");
  const leaf = fc.constantFrom(
    ...["result", "1", "2.5", "1e3", "'a\\n'", "true", "nil", "result.a", "x?.y.z", "b'\\x00'"],
  );
  const operator = fc.constantFrom(..."+ - * / % ** == != < <= && || and or in contains matches .. ??".split(" "));
  const make = (text: string): Tree => ({ text });
  return {
    program: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      leaf.map(make),
      fc.tuple(sub, operator, sub).map(([a, op, b]) => make(`((${a.text}) ${op} (${b.text}))`)),
      fc.tuple(fc.constantFrom("!", "-", "not ", "+"), sub).map(([op, a]) => make(`(${op}(${a.text}))`)),
      fc.tuple(sub, sub, sub).map(([a, b, c]) => make(`((${a.text}) ? (${b.text}) : (${c.text}))`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`(${a.text})[${b.text}]`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`(${a.text})[(${a.text}):(${b.text})]`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`[${a.text}, ${b.text}]`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`{a: ${a.text}, (${b.text}): 2, 'c d': 3}`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`map(${a.text}, {let v = #; ${b.text}})`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`reduce(${a.text}, #acc + (${b.text}), 0)`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`max(${a.text}, ${b.text})?.first(1).second`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`(let v = ${a.text}; ${b.text}; v)`)),
      fc.tuple(sub, sub).map(([a, b]) => make(`(if ${a.text} { ${b.text} } else { 1 })`)),
    ),
  };
});

it("prints what it parses so that it parses to the same", () => {
  fc.assert(
    fc.property(program, ({ text }) => {
      const once = printExpression(parseExpression(text).root);
      expect(printExpression(parseExpression(once).root)).toBe(once);
    }),
    { numRuns: 1000 },
  );
});

it("means the same after printing", () => {
  const outcome = (text: string): unknown => {
    try {
      return run(text, results[2] ?? null);
    } catch (error) {
      if (error instanceof ExpressionError) return error.kind;
      throw error;
    }
  };
  fc.assert(
    fc.property(program, ({ text }) => {
      expect(outcome(printExpression(parseExpression(text).root))).toEqual(outcome(text));
    }),
    { numRuns: 500 },
  );
});

type Arithmetic = { readonly text: string; readonly value: number };

/** Float arithmetic, paired with the same sum computed by JavaScript. */
const { sum } = fc.letrec<{ sum: Arithmetic }>((tie) => {
  const sub = tie("sum");
  const literal = fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e6 });
  return {
    sum: fc.oneof(
      { maxDepth: 5 },
      literal.map((value) => ({ text: /[.e]/.test(String(value)) ? String(value) : `${value}.0`, value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `(${a.text} + ${b.text})`, value: a.value + b.value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `(${a.text} - ${b.text})`, value: a.value - b.value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `(${a.text} * ${b.text})`, value: a.value * b.value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `(${a.text} / ${b.text})`, value: a.value / b.value })),
    ),
  };
});

it("agrees with JavaScript on float arithmetic, folded or not", () => {
  fc.assert(
    fc.property(sum, ({ text, value }) => {
      expect(run(text, null)).toBe(value);
      expect(run(`len([1]) * 1.0 * ${text}`, null)).toBe(value);
    }),
  );
});

it("agrees with BigInt on whole numbers, wrapping at 64 bits", () => {
  const whole = fc.bigInt({ min: 0n, max: 2n ** 63n - 1n });
  fc.assert(
    fc.property(whole, whole, whole, (a, b, c) => {
      expect(run(`${a} * ${b} - ${c}`, null)).toBe(BigInt.asIntN(64, BigInt.asIntN(64, a * b) - c));
      if (b !== 0n) expect(run(`${a} % ${b}`, null)).toBe(a % b);
      expect(run(`${a} < ${b}`, null)).toBe(a < b);
    }),
  );
});

/** Constant texts, lists and booleans, paired with JavaScript's result: both folded by the optimizer and not. */
const quoted = fc.string({ unit: fc.constantFrom(..."abcxyz 09é"), maxLength: 8 });
const shorts = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 6 });

type Truth = { readonly text: string; readonly value: boolean };
const { truth } = fc.letrec<{ truth: Truth }>((tie) => {
  const sub = tie("truth");
  const compared = fc.tuple(fc.integer(), fc.integer());
  return {
    truth: fc.oneof(
      { maxDepth: 5 },
      fc.boolean().map((value) => ({ text: String(value), value })),
      compared.map(([a, b]) => ({ text: `(${a}) < (${b})`, value: a < b })),
      compared.map(([a, b]) => ({ text: `(${a}) != (${b})`, value: a !== b })),
      shorts.map((list) => ({ text: `1 in [${list}]`, value: list.includes(1) })),
      fc.tuple(quoted, quoted).map(([a, b]) => ({ text: `"${a}" contains "${b}"`, value: a.includes(b) })),
      fc.tuple(quoted, quoted).map(([a, b]) => ({ text: `"${a}" startsWith "${b}"`, value: a.startsWith(b) })),
      sub.map(({ text, value }) => ({ text: `!(${text})`, value: !value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `((${a.text}) && (${b.text}))`, value: a.value && b.value })),
      fc.tuple(sub, sub).map(([a, b]) => ({ text: `((${a.text}) or (${b.text}))`, value: a.value || b.value })),
      fc.tuple(sub, sub, sub).map(([a, b, c]) => ({
        text: `((${a.text}) ? (${b.text}) : (${c.text}))`,
        value: a.value ? b.value : c.value,
      })),
    ),
  };
});

it("agrees with JavaScript on truth, folded or not", () => {
  fc.assert(
    fc.property(truth, ({ text, value }) => {
      expect(run(text, null)).toBe(value);
      expect(run(`all([1], ${text})`, null)).toBe(value);
    }),
  );
});

it("agrees with JavaScript on texts and lists", () => {
  fc.assert(
    fc.property(quoted, quoted, shorts, (a, b, list) => {
      expect(run(`"${a}" + "${b}"`, null)).toBe(a + b);
      expect(run(`len("${a}")`, null)).toBe(BigInt([...a].length));
      expect(run(`upper("${a}")`, null)).toBe(a.toUpperCase());
      expect(run(`sum([${list}])`, null)).toBe(BigInt(list.reduce((sum, item) => sum + item, 0)));
      expect(run(`max([${list}])`, null)).toBe(BigInt(Math.max(...list)));
      expect(run(`count([${list}], # > 0)`, null)).toBe(BigInt(list.filter((item) => item > 0).length));
      expect(run(`sort([${list}])[0]`, null)).toBe(BigInt(Math.min(...list)));
      expect(run(`reverse([${list}])[-1]`, null)).toBe(BigInt(list[0] ?? 0));
    }),
  );
});
