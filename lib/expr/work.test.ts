import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Budget } from "./budget.ts";
import { builtinNames, predicateBuiltins } from "./builtin-names.ts";
import { checkTypes } from "./checker.ts";
import { compileTree } from "./compile.ts";
import { conditionEnvironment, environmentTypes } from "./environment.ts";
import { isExpressionError } from "./errors.ts";
import { GoTime, type GoValue } from "./go-value.ts";
import { methodNames } from "./method-table.ts";
import { binaryOperators } from "./operators.ts";
import { optimize } from "./optimizer.ts";
import { parseExpression } from "./parser.ts";
import { searchText } from "./search-text.ts";
import { countWork } from "./testing/count-work.ts";
import { hostileFields, hostileResult } from "./testing/hostile-values.ts";

const result = hostileResult(20_000);
const fields = hostileFields(result);
/** Characters and elements that one step may represent, and the amount that is free. */
const workPerStep = 200;
const freeWork = 20_000;

/** Returns the steps charged and the work done; undefined if the expression does not compile. */
function measure(source: string, given: GoValue = result): { work: number; steps: number } | undefined {
  const environment = conditionEnvironment(given);
  const budget = new Budget();
  try {
    const types = environmentTypes(environment);
    const { root, characters } = parseExpression(source, new Set(types.keys()));
    checkTypes(root, types, characters);
    const evaluate = compileTree(optimize(root, characters));
    const { functions } = environment;
    const frame = { functions, result: given, now: 0n, budget, variables: [], leftovers: [], scope: undefined, at: 0 };
    const work = countWork(() => {
      try {
        evaluate(frame);
      } catch (error) {
        if (!isExpressionError(error) && !(error instanceof RangeError)) throw error;
      }
    });
    return { work, steps: budget.spent };
  } catch (error) {
    if (isExpressionError(error)) return undefined;
    throw error;
  }
}

function expectBooked(source: string, given?: GoValue): void {
  const measured = measure(source, given);
  if (measured === undefined) return;
  const { work, steps } = measured;
  const isBooked = work <= freeWork + workPerStep * steps;
  expect(isBooked, `${source}: ${work} characters and elements for ${steps} steps`).toBe(true);
}

const field = fc.constantFrom(...fields);
const bodies = ["#", "true", "# == #", "string(#)", "# == result.same", "len(string(#)) > 1", "{a: #}", "[#, #]"];

/** Calls of one builtin with arbitrary arguments: a new name in the table is covered at once. */
function callsOf(name: string): fc.Arbitrary<string> {
  const shape = predicateBuiltins.get(name);
  if (shape === undefined) {
    return fc.array(field, { minLength: 0, maxLength: 4 }).map((args) => `${name}(${args.join(", ")})`);
  }
  return fc.tuple(field, fc.constantFrom(...bodies)).map(([list, body]) => `${name}(${list}, ${body})`);
}

describe("work is booked before it is done", () => {
  it.each([...builtinNames])("by %s", (name) => {
    fc.assert(
      fc.property(callsOf(name), (source) => expectBooked(source)),
      { numRuns: 150, seed: 20261122 },
    );
  });

  it.each([...binaryOperators.keys()].filter((operator) => operator !== "|"))("by the operator %s", (operator) => {
    fc.assert(
      fc.property(field, field, (left, right) => expectBooked(`${left} ${operator} ${right}`)),
      { numRuns: 150, seed: 20261122 },
    );
  });

  it.each(["isNaN", "isInf", "isNil", "asInt", "asFloat", "default"])("by Argo's %s", (name) => {
    for (const arg of fields) expectBooked(name === "default" ? `default(${arg}, ${arg})` : `${name}(${arg})`);
  });

  it.each(methodNames())("by the method %s", (name) => {
    const time = new GoTime(0n, "Europe/Berlin");
    for (const args of ["", "result", "duration('1h')", "timezone('Europe/Berlin')", "1, 2, 3"]) {
      expectBooked(`result.${name}(${args})`, time);
      expectBooked(`duration('1h30m').${name}(${args})`, time);
    }
    for (const layout of ["secondsLayout", "layout", "same"]) {
      expectBooked(`date(result.date).${name}(result.${layout})`);
    }
  });

  it.each([
    "result.same[1]",
    "result.same[1:9]",
    "result.same[-5:]",
    "result[result.same]",
    "result.words[result.digits]",
    "get(result, result.needle)",
    "result.map[result.same]",
    "{(result.same): 1}",
    "sort(result.words)",
    "count(1..100, lastIndexOf(result.same, result.needle) == #)",
    "count(1..100, date('2026-01-01', '2006-01-02', 'Europe/Berlin').Hour() == #)",
    "result.same == result.almost",
    "result.words == result.words",
    "uniq(result.words)",
    "result.same in result.words",
    "$env[result.same]",
  ])("by %s", (source) => expectBooked(source));
});

it.each([
  ["aaaa", "baaa"],
  ["aaaa", "aaab"],
  ["ab".repeat(500), "ab".repeat(250).concat("b")],
  ["a".repeat(5000), `b${"a".repeat(2500)}`],
  ["a".repeat(5000), `${"a".repeat(2500)}b`],
])("a search reads each character a few times at most", (text, part) => {
  let reads = 0;
  const counted = (value: string) => ({
    length: value.length,
    charCodeAt: (index: number) => {
      reads++;
      return value.charCodeAt(index);
    },
  });
  expect(searchText(counted(text), counted(part))).toBe(text.indexOf(part));
  expect(reads).toBeLessThanOrEqual(6 * (text.length + part.length));
});

const nestings: readonly (readonly [string, (inner: string) => string])[] = [
  ["chained comparisons", (inner) => `(0 <= ${inner} <= 9 ? 1 : 2)`],
  ["short conditionals", (inner) => `((${inner} == 1) ?: true) ? 1 : 2`],
  ["short conditionals in brackets", (inner) => `(((${inner}) > 0 ?: false) ? 1 : 2)`],
  ["ranges", (inner) => `(${inner} in 1..3 ? 1 : 2)`],
  ["calls with several signatures", (inner) => `len(sort([${inner}]))`],
  ["calls of join", (inner) => `len(join([string(${inner})]))`],
];

it.each(nestings)("nested %s compile in a time that grows with their length", (_, wrap) => {
  let source = "1";
  for (let depth = 0; depth < 40; depth++) source = wrap(source);
  let visits = 0;
  const environment = conditionEnvironment(null);
  const types = environmentTypes(environment);
  const { root, characters } = parseExpression(source);
  const seen = new Proxy(types, {
    get: (target, key) => {
      visits++;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
  checkTypes(root, seen, characters);
  expect(visits).toBeLessThan(10_000);
  expect(typeof compileTree(optimize(root, characters))).toBe("function");
  // Evaluation may still take a turn for every place; the budget ends it.
  expect(measure(source, null)?.work).toBeLessThan(freeWork);
});
