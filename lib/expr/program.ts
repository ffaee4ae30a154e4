import { Budget } from "./budget.ts";
import { checkTypes } from "./checker.ts";
import { compileTree } from "./compile.ts";
import { type Environment, environmentTypes } from "./environment.ts";
import { budgetError, ExpressionError, isExpressionError, positionOf } from "./errors.ts";
import type { Evaluate, Frame } from "./frame.ts";
import type { GoValue } from "./go-value.ts";
import { optimize } from "./optimizer.ts";
import { parseExpression } from "./parser.ts";

/**
 * Runs a compiled expression, any number of times, on results of the type that it was compiled for. `now` is
 * nanoseconds since 1970. Throws only ExpressionError.
 */
export type Program = (result: GoValue, now?: bigint) => GoValue;

/**
 * Compiles an expression for an environment whose types are known. Throws ExpressionError if it does not parse or if
 * types do not fit, and nothing else.
 */
export function compileProgram(source: string, environment: Environment): Program {
  try {
    const types = environmentTypes(environment);
    const { language } = environment;
    const { root, characters } = parseExpression(source, new Set(types.keys()), language);
    checkTypes(root, types, characters, language);
    const evaluate = compileTree(optimize(root, characters, language), language);
    return (result, now) => run(evaluate, newFrame(environment, result, now), characters);
  } catch (error) {
    throw ownError(error);
  }
}

function newFrame({ functions }: Environment, result: GoValue, now: bigint | undefined): Frame {
  return { functions, result, now, budget: new Budget(), variables: [], leftovers: [], scope: undefined, at: 0 };
}

function run(evaluate: Evaluate, frame: Frame, characters: readonly string[]): GoValue {
  try {
    return evaluate(frame);
  } catch (error) {
    const own = ownError(error);
    if (!isExpressionError(own) || own.position !== undefined) throw own;
    throw new ExpressionError(own.kind, own.message, positionOf(characters, frame.at));
  }
}

/** Turns a stack overflow into an error of ours. */
function ownError(error: unknown): unknown {
  return error instanceof RangeError ? budgetError("expression is nested too deeply") : error;
}
