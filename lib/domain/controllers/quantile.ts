/** A bucket of a histogram: how many were at most `le`, including those of smaller buckets. */
export type Bucket = { le: number; count: number };

/** A quantile of a histogram. The truth is somewhere between `from` and `to`; `to` is infinite in the last bucket. */
export type Quantile = { value: number; from: number; to: number };

/**
 * Estimates a quantile as Prometheus does (promql/quantile.go, bucketQuantile): linear within its bucket. In the last
 * bucket it is that bucket's lower bound, which is the least that it can be. Undefined if nothing was counted.
 */
export function estimateQuantile(buckets: readonly Bucket[], share: number): Quantile | undefined {
  const sorted = buckets.toSorted((one, other) => one.le - other.le);
  const total = sorted.at(-1)?.count ?? 0;
  // Without the infinite bucket the slowest are not counted.
  if (total <= 0 || sorted.at(-1)?.le !== Number.POSITIVE_INFINITY) return undefined;
  const rank = share * total;
  const index = sorted.findIndex(({ count }) => count >= rank);
  const bucket = sorted[index];
  if (bucket === undefined) return undefined;
  const below = sorted[index - 1];
  const from = below?.le ?? Math.min(0, bucket.le);
  if (!Number.isFinite(bucket.le)) return { value: from, from, to: bucket.le };
  const inBucket = bucket.count - (below?.count ?? 0);
  const value = inBucket <= 0 ? bucket.le : from + (bucket.le - from) * ((rank - (below?.count ?? 0)) / inBucket);
  return { value, from, to: bucket.le };
}
