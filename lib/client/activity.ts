/** A request counts as a person's own within this time of the last key, click or touch. */
const activeForMs = 60_000;

let lastAt = Number.NEGATIVE_INFINITY;

/** Starts to record activity on the page; returns a function that stops it. */
export function watchActivity(target: EventTarget = window, now: () => number = () => performance.now()): () => void {
  const note = () => {
    lastAt = now();
  };
  const events = ["keydown", "pointerdown", "pointermove", "wheel", "touchstart"];
  for (const event of events) target.addEventListener(event, note, { passive: true, capture: true });
  return () => {
    for (const event of events) target.removeEventListener(event, note, { capture: true });
  };
}

/** Returns the header that tells the server a person is present: only then does a session not idle out. */
export function activityHeaders(now: number = performance.now()): Record<string, string> {
  return now - lastAt < activeForMs ? { "x-gatehouse-active": "1" } : {};
}
