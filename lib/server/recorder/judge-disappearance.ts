export type Disappearance = "plausible" | "empty" | "shrink";

/**
 * Whether objects that are missing may be believed to be gone. An empty answer after a non-empty one, or more than half
 * of at least five at once, is held until further reads say the same.
 */
export function judgeDisappearance({ stored, missing }: { stored: number; missing: number }): Disappearance {
  if (missing === 0) return "plausible";
  if (missing === stored) return "empty";
  return missing >= 5 && missing * 2 > stored ? "shrink" : "plausible";
}

/** The same for deletions that a watch reports: `recent` of them within a minute, `left` objects remaining. */
export function judgeDeletions({ recent, left }: { recent: number; left: number }): Disappearance {
  return recent >= 5 && recent > left ? "shrink" : "plausible";
}
