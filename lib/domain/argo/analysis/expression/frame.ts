import type { Budget } from "./budget.ts";
import { runtimeError } from "./errors.ts";
import type { GoValue } from "./go-value.ts";

/** The list that a predicate runs over, and how far it has come. */
export type Scope = {
  readonly items: readonly GoValue[];
  index: number;
  accumulator: GoValue;
};

/** What one evaluation works on. `at` is the place in the source of the operation that may fail next. */
export type Frame = {
  readonly environment: ReadonlyMap<string, GoValue>;
  readonly result: GoValue;
  readonly budget: Budget;
  /** Nanoseconds since 1970 for `now()`; without it `now()` is an error. */
  readonly now: bigint | undefined;
  readonly variables: GoValue[];
  scope: Scope | undefined;
  at: number;
};

/** A compiled node. */
export type Evaluate = (frame: Frame) => GoValue;

export function currentItem(frame: Frame): GoValue {
  const { scope } = frame;
  const item = scope?.items[scope.index];
  if (item !== undefined) return item;
  throw runtimeError(
    `runtime error: index out of range [${scope?.index ?? 0}] with length ${scope?.items.length ?? 0}`,
  );
}
