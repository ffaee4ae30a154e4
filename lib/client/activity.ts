/** Within this time of the last key, click or touch a request counts as a person's own. */
const activeForMs = 60_000;

let lastAt = Number.NEGATIVE_INFINITY;

/** Notes what a person does on the page, from now on; returns how to stop. */
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

/** The header by which the server knows that a person sits in front: only then a session is kept from idling out. */
export function activityHeaders(now: number = performance.now()): Record<string, string> {
  return now - lastAt < activeForMs ? { "x-gatehouse-active": "1" } : {};
}
