/**
 * Computes a quantile by linear interpolation between the two nearest values, as PostgreSQL's `percentile_cont` does.
 * Null for no values.
 */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((one, other) => one - other);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return null;
  // Equal neighbours may be too large for a difference.
  return below === above ? below : below + (above - below) * (place - Math.floor(place));
}
