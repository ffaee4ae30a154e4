/**
 * Compares resourceVersions as their source orders them: decimal numbers of any length. Returns undefined if one is not
 * a number: then only the order of arrival counts.
 */
export function compareResourceVersions(one: string, other: string): -1 | 0 | 1 | undefined {
  if (!/^\d+$/.test(one) || !/^\d+$/.test(other)) return one === other ? 0 : undefined;
  const a = one.replace(/^0+(?=\d)/, "");
  const b = other.replace(/^0+(?=\d)/, "");
  if (a.length !== b.length) return a.length < b.length ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Returns whether `candidate` is older than the stored version. */
export function isOlderVersion(candidate: string, stored: string): boolean {
  return compareResourceVersions(candidate, stored) === -1;
}
