export type Disappearance = "plausible" | "empty" | "shrink";

/** A loss of more than this share is held first. A release of everything changes objects, it does not remove them. */
const abovePercent = 50;
/** Smaller losses are not held: half of a few objects go in ordinary work. */
const atLeast = 5;

/**
 * Judges whether objects missing from a complete list are really gone. An empty answer after a non-empty one, or more
 * than the limit at once, is held until further reads confirm it.
 */
export function judgeDisappearance({
  stored,
  missing,
  listed,
}: {
  stored: number;
  missing: number;
  /** Number of objects in the list. */
  listed: number;
}): Disappearance {
  if (missing === 0) return "plausible";
  if (listed === 0) return "empty";
  return isMass({ gone: missing, of: stored }) ? "shrink" : "plausible";
}

/** Judges deletions that a watch reports in the same way: `recent` within a minute, with `left` objects remaining. */
export function judgeDeletions({ recent, left }: { recent: number; left: number }): Disappearance {
  return isMass({ gone: recent, of: recent + left }) ? "shrink" : "plausible";
}

function isMass({ gone, of }: { gone: number; of: number }): boolean {
  return gone >= atLeast && gone * 100 > of * abovePercent;
}
