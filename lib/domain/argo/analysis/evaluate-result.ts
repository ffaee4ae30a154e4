import { conditionEnvironment } from "./expression/environment.ts";
import { ExpressionError, type ExpressionErrorKind, type ExpressionPosition } from "./expression/errors.ts";
import { type GoValue, typeName } from "./expression/go-value.ts";
import { compileProgram } from "./expression/program.ts";
import { goValueOf, isNilOrEmpty, type TypedValue } from "./typed-value.ts";
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
 * The phase of a measurement from its result and the metric's conditions; empty conditions count as absent.
 * `now` (epoch milliseconds) is needed where a condition asks for the time.
 * Mirrors argo-rollouts utils/evaluate/evaluate.go `EvaluateResult`: success is evaluated first, the first error ends
 * it, failure wins where both hold, and without any condition every result is Successful. Throws TypedValueError
 * where the result's value does not fit its type, and nothing else: a broken condition is phase Error.
 */
export function evaluateResult(input: {
  readonly result: TypedValue;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly now?: number;
}): ResultEvaluation {
  const { successCondition = "", failureCondition = "", now } = input;
  const result = goValueOf(input.result);
  const success = decide("successCondition", successCondition, result, now);
  if (isFailure(success)) return success;
  const failure = decide("failureCondition", failureCondition, result, now);
  if (isFailure(failure)) return failure;
  return { phase: combine(success, failure) };
}

function isFailure(outcome: boolean | undefined | ResultEvaluation): outcome is ResultEvaluation {
  return typeof outcome === "object";
}

/** undefined stands for a condition that is not there. */
function combine(success: boolean | undefined, failure: boolean | undefined): AnalysisPhase {
  if (failure === undefined) return success === false ? "Failed" : "Successful";
  if (failure) return "Failed";
  return success === false ? "Inconclusive" : "Successful";
}

function decide(
  name: ConditionError["condition"],
  condition: string,
  result: GoValue,
  now: number | undefined,
): boolean | undefined | ResultEvaluation {
  if (condition === "") return undefined;
  try {
    return evaluateCondition({ result, condition, now });
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const { kind, position, message: text } = error;
    const reason = isNilOrEmpty(result) ? noData : text;
    return {
      phase: "Error",
      message: `could not evaluate ${name} "${condition}": ${reason}`,
      error: { condition: name, text, kind, position },
    };
  }
}

const noData = "metric result is nil or empty: no data returned from the metric provider";

/** A condition's outcome for a result; throws ExpressionError (utils/evaluate/evaluate.go `EvalCondition`). */
export function evaluateCondition(input: {
  readonly result: GoValue;
  readonly condition: string;
  readonly now?: number;
}): boolean {
  return compileCondition(input.condition, input.result)(input.result, input.now);
}

/**
 * Compiles a condition for results of the Go type that `sample` has. The function that comes back may be called any
 * number of times with such results; both throw ExpressionError only.
 */
export function compileCondition(condition: string, sample: GoValue): (result: GoValue, now?: number) => boolean {
  const program = compileProgram(condition, conditionEnvironment(sample));
  return (result, now) => {
    const value = program(result, now === undefined ? undefined : BigInt(Math.trunc(now)) * 1_000_000n);
    if (typeof value === "boolean") return value;
    throw new ExpressionError("runtime", `expected bool, but got ${typeName(value)}`);
  };
}
