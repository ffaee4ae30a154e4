/** Formats the difference of two values with its sign, in at most four digits: `+0.02`, `−1200`, `0`. */
export function formatDifference(difference: number): string {
  if (!Number.isFinite(difference)) return "unknown";
  const rounded = Number(difference.toPrecision(4));
  if (rounded === 0) return "0";
  return rounded > 0 ? `+${rounded}` : `\u2212${Math.abs(rounded)}`;
}
