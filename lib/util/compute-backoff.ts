/**
 * Computes the wait in milliseconds before the next try: `firstMs`, doubled `doublings` times, at most `longestMs`.
 * `random` (0 to 1) spreads it over its upper half; 1, the default, leaves it whole.
 */
export function computeBackoff({
  firstMs,
  longestMs,
  doublings,
  random = 1,
}: {
  firstMs: number;
  longestMs: number;
  doublings: number;
  random?: number;
}): number {
  return Math.min(longestMs, firstMs * 2 ** doublings) * (0.5 + random / 2);
}
