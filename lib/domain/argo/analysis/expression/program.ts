import { Budget } from "./budget.ts";
import { checkTypes, type EnvironmentTypes } from "./checker.ts";
import { compileTree } from "./compile.ts";
import { budgetError, ExpressionError, positionOf } from "./errors.ts";
import type { Frame } from "./frame.ts";
import type { GoValue } from "./go-value.ts";
import { optimize } from "./optimizer.ts";
import { parseExpression } from "./parser.ts";

/** A compiled expression: may be run any number of times on values of the types it was compiled for. */
export type Program = {
  readonly run: (input: { readonly environment: ReadonlyMap<string, GoValue>; readonly now?: bigint }) => GoValue;
};

/**
 * Compiles an expression for an environment whose types are known. Throws ExpressionError where it does not parse or
 * where types do not fit; running throws ExpressionError too, and nothing else.
 */
export function compileProgram(source: string, types: EnvironmentTypes): Program {
  return guarded([], () => {
    const { root, characters } = parseExpression(source, new Set(types.keys()));
    checkTypes(root, types, characters);
    const evaluate = compileTree(optimize(root, characters));
    return {
      run: ({ environment, now }) => {
        const frame: Frame = {
          environment,
          result: environment.get("result") ?? null,
          budget: new Budget(),
          now,
          variables: [],
          leftovers: [],
          scope: undefined,
          at: 0,
        };
        return guarded(characters, () => evaluate(frame), frame);
      },
    };
  });
}

/** Adds the position, and turns a stack that ran out into an error of ours. */
function guarded<T>(characters: readonly string[], work: () => T, frame?: Frame): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw budgetError("expression is nested too deeply");
    if (error instanceof ExpressionError && error.position === undefined && frame !== undefined) {
      throw new ExpressionError(error.kind, error.message, positionOf(characters, frame.at));
    }
    throw error;
  }
}
