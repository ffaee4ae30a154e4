/** A share with the numbers behind it. `rate`, `low` and `high` are from 0 to 1, and null for a share of nothing. */
export type Rate = { count: number; of: number; rate: number | null; low: number | null; high: number | null };

/** The 97.5th percentile of the normal distribution: the interval holds the true share 95 times out of 100. */
const z = 1.959963984540054;

/** Computes a share with its Wilson score interval (Wilson 1927), which is also right for few cases and for none. */
export function computeRate(count: number, of: number): Rate {
  if (of === 0) return { count, of, rate: null, low: null, high: null };
  const share = count / of;
  const denominator = 1 + (z * z) / of;
  const centre = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  return {
    count,
    of,
    rate: share,
    // Rounding must not push a bound past the share itself.
    low: count === 0 ? 0 : Math.max(0, (centre - spread) / denominator),
    high: count === of ? 1 : Math.min(1, (centre + spread) / denominator),
  };
}
