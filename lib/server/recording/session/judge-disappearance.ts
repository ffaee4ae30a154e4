export type Disappearance = "plausible" | "empty" | "shrink";

/** From which size a disappearance is held first: more than this share, and at least this many objects. */
export type DisappearanceLimits = { abovePercent: number; atLeast: number };
export const defaultLimits: DisappearanceLimits = { abovePercent: 50, atLeast: 5 };

/**
 * Judges whether objects missing from a complete list are really gone. An empty answer after a non-empty one, or more
 * than the limit at once, is held until further reads confirm it.
 */
export function judgeDisappearance({
  stored,
  missing,
  listed,
  limits = defaultLimits,
}: {
  stored: number;
  missing: number;
  /** Number of objects in the list. */
  listed: number;
  limits?: DisappearanceLimits;
}): Disappearance {
  if (missing === 0) return "plausible";
  if (listed === 0) return "empty";
  return isMass({ gone: missing, of: stored, limits }) ? "shrink" : "plausible";
}

/** Judges deletions that a watch reports in the same way: `recent` within a minute, with `left` objects remaining. */
export function judgeDeletions({
  recent,
  left,
  limits = defaultLimits,
}: {
  recent: number;
  left: number;
  limits?: DisappearanceLimits;
}): Disappearance {
  return isMass({ gone: recent, of: recent + left, limits }) ? "shrink" : "plausible";
}

function isMass({ gone, of, limits }: { gone: number; of: number; limits: DisappearanceLimits }): boolean {
  return gone >= limits.atLeast && gone * 100 > of * limits.abovePercent;
}
