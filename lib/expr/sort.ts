import type { Budget } from "./budget.ts";
import type { GoValue } from "./go-value.ts";
import { compare } from "./runtime-operators.ts";

/**
 * Sorts by a key with the order of `<`; throws as soon as two values that cannot be ordered are compared. Go's sort is
 * stable only for short lists; this one is always stable.
 */
export function sortValues<T>(
  values: readonly T[],
  order: { readonly keyOf: (value: T) => GoValue; readonly descending: boolean; readonly budget: Budget },
): T[] {
  const { keyOf, descending, budget } = order;
  const isLess = (left: T, right: T): boolean => {
    budget.spend(1);
    const [first, second] = descending ? [right, left] : [left, right];
    return compare("<", keyOf(first), keyOf(second), budget);
  };
  if (values.length <= insertionLimit) return insertionSort(values, isLess);
  return [...values].sort((left, right) => (isLess(left, right) ? -1 : Number(isLess(right, left))));
}

/** Go sorts lists up to this length by insertion, which decides the order of values that NaN makes incomparable. */
const insertionLimit = 12;

function insertionSort<T>(values: readonly T[], isLess: (left: T, right: T) => boolean): T[] {
  const sorted: T[] = [];
  for (const value of values) {
    let index = sorted.length;
    for (; index > 0; index--) {
      const before = sorted[index - 1];
      if (before === undefined || !isLess(value, before)) break;
    }
    sorted.splice(index, 0, value);
  }
  return sorted;
}
