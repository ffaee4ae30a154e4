import { timeEnvironment } from "#lib/expr/environment.ts";
import { ExpressionError } from "#lib/expr/errors.ts";
import { GoTime, typeName } from "#lib/expr/go-value.ts";
import { compileProgram } from "#lib/expr/program.ts";

/**
 * Returns the time of an expression such as `now() - duration("1h")`, in epoch milliseconds (truncated from
 * nanoseconds). Throws ExpressionError.
 * Mirrors argo-rollouts utils/evaluate/evaluate.go `EvalTime`.
 */
export function evaluateTime(expression: string, now?: number): number {
  const time = now === undefined ? undefined : BigInt(Math.trunc(now)) * 1_000_000n;
  const value = compileProgram(expression, timeEnvironment)(null, time);
  if (value instanceof GoTime) return Number(value.nanoseconds / 1_000_000n);
  throw new ExpressionError("runtime", `expected time.Time, but got ${typeName(value)}`);
}
