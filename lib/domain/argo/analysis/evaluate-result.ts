import { conditionEnvironment, timeEnvironment } from "#lib/expr/environment.ts";
import {
  ExpressionError,
  type ExpressionErrorKind,
  type ExpressionPosition,
  isExpressionError,
} from "#lib/expr/errors.ts";
import { GoTime, type GoValue, typeName } from "#lib/expr/go-value.ts";
import type { Language } from "#lib/expr/language.ts";
import { compileProgram } from "#lib/expr/program.ts";
import { goValueOf, isNilOrEmpty, type TypedValue } from "#lib/expr/typed-value.ts";
import type { AnalysisPhase } from "./types.ts";

/** Why a condition could not be evaluated. `text` is the engine's own text, as controllers up to 1.9 recorded it. */
export type ConditionError = {
  readonly condition: "successCondition" | "failureCondition";
  readonly text: string;
  readonly kind: ExpressionErrorKind;
  readonly position?: ExpressionPosition;
};

export type ResultEvaluation = {
  readonly phase: AnalysisPhase;
  /** What controllers from 1.10 write into the measurement. */
  readonly message?: string;
  readonly error?: ConditionError;
};

/**
 * Returns the phase of a measurement from its result and the metric's conditions; empty conditions count as absent.
 * `now` (epoch milliseconds) is needed if a condition uses the time. `language` is the newest if absent.
 * Mirrors argo-rollouts utils/evaluate/evaluate.go `EvaluateResult`: success is evaluated first, the first error ends
 * it, failure wins if both are true, and without any condition every result is Successful. Throws only TypedValueError,
 * if the result's value does not fit its type: a broken condition gives phase Error.
 */
export function evaluateResult(input: {
  readonly result: TypedValue;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly now?: number;
  readonly language?: Language;
}): ResultEvaluation {
  return createResultEvaluator(input)(input.result, input.now);
}

/** Does the same as `evaluateResult` for many results: conditions are compiled once for each Go type that occurs. */
export function createResultEvaluator(conditions: {
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly language?: Language;
}): (result: TypedValue, now?: number) => ResultEvaluation {
  const { successCondition, failureCondition, language } = conditions;
  const success = createDecision("successCondition", successCondition, language);
  const failure = createDecision("failureCondition", failureCondition, language);
  return (typed, now) => {
    const result = goValueOf(typed);
    const succeeded = success(result, now);
    if (isFailure(succeeded)) return succeeded;
    const failed = failure(result, now);
    if (isFailure(failed)) return failed;
    return { phase: combine(succeeded, failed) };
  };
}

function isFailure(outcome: boolean | undefined | ResultEvaluation): outcome is ResultEvaluation {
  return typeof outcome === "object";
}

/** Combines both outcomes; undefined means that the condition is absent. */
function combine(success: boolean | undefined, failure: boolean | undefined): AnalysisPhase {
  if (failure === undefined) return success === false ? "Failed" : "Successful";
  if (failure) return "Failed";
  return success === false ? "Inconclusive" : "Successful";
}

type Decision = (result: GoValue, now: number | undefined) => boolean | undefined | ResultEvaluation;

function createDecision(
  name: ConditionError["condition"],
  condition: string | undefined,
  language: Language | undefined,
): Decision {
  if (condition === undefined || condition === "") return () => undefined;
  const programs = new Map<string, ReturnType<typeof compileCondition>>();
  return (result, now) => {
    try {
      const type = typeName(result);
      const program = programs.get(type) ?? compileCondition(condition, result, language);
      programs.set(type, program);
      return program(result, now);
    } catch (error) {
      return failureOf({ name, condition, result, error });
    }
  };
}

function failureOf(options: {
  name: ConditionError["condition"];
  condition: string;
  result: GoValue;
  error: unknown;
}): ResultEvaluation {
  const { name, condition, result, error } = options;
  if (!isExpressionError(error)) throw error;
  const { kind, position, message: text } = error;
  const reason = isNilOrEmpty(result) ? noData : text;
  return {
    phase: "Error",
    message: `could not evaluate ${name} "${condition}": ${reason}`,
    error: { condition: name, text, kind, position },
  };
}

const noData = "metric result is nil or empty: no data returned from the metric provider";

/** Returns a condition's outcome for a result; throws ExpressionError (utils/evaluate/evaluate.go `EvalCondition`). */
export function evaluateCondition(input: {
  readonly result: GoValue;
  readonly condition: string;
  readonly now?: number;
}): boolean {
  return compileCondition(input.condition, input.result)(input.result, input.now);
}

/**
 * Compiles a condition for results of the Go type that `sample` has. The returned function may be called any number of
 * times with such results; both throw only ExpressionError.
 */
export function compileCondition(
  condition: string,
  sample: GoValue,
  language?: Language,
): (result: GoValue, now?: number) => boolean {
  const program = compileProgram(condition, conditionEnvironment(sample, language));
  return (result, now) => {
    const value = program(result, now === undefined ? undefined : BigInt(Math.trunc(now)) * 1_000_000n);
    if (typeof value === "boolean") return value;
    throw new ExpressionError("runtime", `expected bool, but got ${typeName(value)}`);
  };
}

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
