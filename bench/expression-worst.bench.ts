// CPU time of the slowest evaluation that we could think of: every builtin and operator, repeated until its budget
// ends, on texts of 400 000 characters designed to be hard.
import { builtinNames, predicateBuiltins } from "#lib/expr/builtin-names.ts";
import { conditionEnvironment } from "#lib/expr/environment.ts";
import { isExpressionError } from "#lib/expr/errors.ts";
import { binaryOperators } from "#lib/expr/operators.ts";
import { compileProgram } from "#lib/expr/program.ts";
import { hostileFields, hostileResult } from "#lib/expr/testing/hostile-values.ts";
import { printFigure } from "./support/print-figure.ts";

const perName = process.argv.includes("--full") ? 40 : 8;
const goalMs = 100;
const result = hostileResult(400_000);
const fields = hostileFields(result);

let seed = 1;
/** Makes the same choices in every run. */
function pick<T>(values: readonly T[]): T {
  seed = (seed * 48_271) % 2_147_483_647;
  return values[seed % values.length] as T;
}

function callOf(name: string): string {
  if (predicateBuiltins.has(name)) return `${name}(${pick(fields)}, ${pick(["#", "true", "# == #", "string(#)"])})`;
  const args = Array.from({ length: pick([1, 1, 2, 2, 3]) }, () => pick(fields));
  return `${name}(${args.join(", ")})`;
}

/** Returns milliseconds of this thread, or 0 if the call does not compile. */
function measure(call: string): number {
  const source = `count(1..100000, type(${call}) == "x") == 0`;
  const environment = conditionEnvironment(result);
  try {
    const program = compileProgram(source, environment);
    const started = process.threadCpuUsage();
    try {
      program(result, 0n);
    } catch (error) {
      if (!isExpressionError(error)) throw error;
    }
    const { user, system } = process.threadCpuUsage(started);
    return (user + system) / 1000;
  } catch (error) {
    if (isExpressionError(error)) return 0;
    throw error;
  }
}

const operators = [...binaryOperators.keys()].filter((operator) => operator !== "|");
const calls = [
  ...[...builtinNames].flatMap((name) => Array.from({ length: perName }, () => callOf(name))),
  ...operators.flatMap((operator) =>
    Array.from({ length: perName }, () => `(${pick(fields)} ${operator} ${pick(fields)})`),
  ),
  "lastIndexOf(result.same, result.needle)",
  "indexOf(result.same, result.needle)",
  "date(result.date, '2006-01-02', result.zone).Hour()",
  "date(result.seconds, result.secondsLayout)",
];
const times = calls.map((call) => ({ call, ms: measure(call) })).sort((one, other) => other.ms - one.ms);
for (const { call, ms } of times.slice(0, 12)) process.stderr.write(`${ms.toFixed(1)} ms  ${call}\n`);
const worst = times[0];
printFigure({
  name: "expression-worst",
  value: worst?.ms ?? 0,
  unit: "ms of processor time",
  baseline: null,
  ratio: null,
  size: `${calls.length} calls, the slowest: ${worst?.call ?? "none"}`,
  goal: `at most ${goalMs} ms`,
  ok: (worst?.ms ?? 0) <= goalMs,
});
