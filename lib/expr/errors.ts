import { hasBrand } from "#lib/util/has-brand.ts";

/** Position of an error in an expression; both count from 1, columns in characters. */
export type ExpressionPosition = { readonly line: number; readonly column: number };

/**
 * Why an expression failed:
 * - `syntax` and `type`: the expression cannot be compiled for this result;
 * - `runtime`: it failed on this value;
 * - `budget`: it would take more steps, memory or depth than we allow (upstream might have finished);
 * - `unsupported`: upstream has an answer that we cannot give.
 */
export type ExpressionErrorKind = "syntax" | "type" | "runtime" | "budget" | "unsupported";

/**
 * The only error that compiling or evaluating an expression throws. `message` is upstream's text without the position.
 */
export class ExpressionError extends Error {
  readonly brand = "expression-error";
  override readonly name = "ExpressionError";
  readonly kind: ExpressionErrorKind;
  readonly position: ExpressionPosition | undefined;

  constructor(kind: ExpressionErrorKind, message: string, position?: ExpressionPosition) {
    super(message);
    this.kind = kind;
    this.position = position;
  }
}

export function isExpressionError(error: unknown): error is ExpressionError {
  return hasBrand(error, "expression-error");
}

/** Makes an error without a position; the caller that knows the position adds it. */
export function runtimeError(message: string): ExpressionError {
  return new ExpressionError("runtime", message);
}

export function budgetError(what: string): ExpressionError {
  return new ExpressionError("budget", what);
}

/** Returns the line and column of a character offset. */
export function positionOf(characters: readonly string[], offset: number): ExpressionPosition {
  let line = 1;
  let column = 1;
  for (const char of characters.slice(0, Math.max(0, offset))) {
    if (char === "\n") {
      line++;
      column = 1;
    } else column++;
  }
  return { line, column };
}
