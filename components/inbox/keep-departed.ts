/**
 * Puts keys that have left back into the new order, each after the one that it followed before, as long as `isKept` says
 * so.
 */
export function keepDeparted(
  previous: readonly string[],
  incoming: readonly string[],
  isKept: (key: string) => boolean,
): string[] {
  const order = [...incoming];
  const present = new Set(incoming);
  let after: string | undefined;
  for (const key of previous) {
    if (present.has(key)) {
      after = key;
    } else if (isKept(key)) {
      order.splice(after === undefined ? 0 : order.indexOf(after) + 1, 0, key);
      after = key;
    }
  }
  return order;
}
