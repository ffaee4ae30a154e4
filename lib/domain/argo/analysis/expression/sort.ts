import type { Budget } from "./budget.ts";
import type { GoValue } from "./go-value.ts";
import { compare } from "./runtime-operators.ts";

/**
 * Sorts by a key with the order of `<`; values that cannot be ordered are an error as soon as two of them meet.
 * Go's sort keeps no order among equal keys, this one keeps the given one.
 */
export function sortValues<T>(
  values: readonly T[],
  order: { readonly keyOf: (value: T) => GoValue; readonly descending: boolean; readonly budget: Budget },
): T[] {
  const { keyOf, budget } = order;
  const sign = order.descending ? -1 : 1;
  return [...values].sort((left, right) => {
    budget.spend(2);
    const [a, b] = [keyOf(left), keyOf(right)];
    if (compare("<", a, b)) return -sign;
    return compare("<", b, a) ? sign : 0;
  });
}
