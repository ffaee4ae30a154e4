import type { Budget } from "./budget.ts";
import { runtimeError } from "./errors.ts";
import type { GoValue } from "./go-value.ts";

/** The list that a predicate iterates over, and the current index. */
export type Scope = {
  /** Empty slots represent the entries of a map, which has a length but no elements. */
  readonly items: readonly (GoValue | undefined)[];
  index: number;
  accumulator: GoValue;
};

/** The state of one evaluation. `at` is the source position of the operation that may fail next. */
export type Frame = {
  readonly functions: ReadonlyMap<string, GoValue>;
  readonly result: GoValue;
  readonly budget: Budget;
  /** Nanoseconds since 1970 for `now()`; if absent, `now()` is an error. */
  readonly now: bigint | undefined;
  readonly variables: GoValue[];
  /**
   * Values that upstream's stack machine forgets below a result: its backward loops (`findLast`, `findLastIndex`) leave
   * their loop conditions on the stack. If an operation takes such a result as a later operand, it reads these
   * leftovers in place of its earlier operands. This engine does the same.
   */
  readonly leftovers: GoValue[];
  scope: Scope | undefined;
  at: number;
};

/** A compiled node. */
export type Evaluate = (frame: Frame) => GoValue;

/** A builtin without a predicate; receives evaluated arguments. */
export type Builtin = (args: readonly GoValue[], frame: Frame) => GoValue;

export function currentItem(frame: Frame): GoValue {
  const { scope } = frame;
  const item = scope?.items[scope.index];
  if (item !== undefined) return item;
  if (scope !== undefined && scope.index < scope.items.length) {
    throw runtimeError("reflect: call of reflect.Value.Index on map Value");
  }
  throw runtimeError(
    `runtime error: index out of range [${scope?.index ?? 0}] with length ${scope?.items.length ?? 0}`,
  );
}

/** Returns the left operand after the right one has been evaluated; `mark` is the number of leftovers before that. */
export function leftOperand(frame: Frame, left: GoValue, mark: number): GoValue {
  const { leftovers } = frame;
  if (leftovers.length === mark) return left;
  const taken = leftovers.pop() ?? null;
  leftovers.splice(mark, 0, left);
  return taken;
}

/** Evaluates the operands of an operation with any number of them, in order. */
export function evaluateOperands(frame: Frame, parts: readonly Evaluate[]): readonly GoValue[] {
  const { leftovers } = frame;
  if (parts.length === 0) return [];
  const values: GoValue[] = [];
  const marks: number[] = [];
  for (const part of parts) {
    values.push(part(frame));
    marks.push(leftovers.length);
  }
  const [mark = 0] = marks;
  if (leftovers.length === mark) return values;
  const behind = leftovers.splice(mark);
  const stack = values.flatMap((value, index) => {
    const from = (marks[index - 1] ?? mark) - mark;
    return [...behind.slice(from, (marks[index] ?? mark) - mark), value];
  });
  leftovers.push(...stack.slice(0, stack.length - values.length));
  return stack.slice(stack.length - values.length);
}
