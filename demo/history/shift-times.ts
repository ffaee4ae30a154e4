const dayMs = 86_400_000;

/**
 * Moves every time in the text by whole days: a night stays a night. All times of the history are in UTC and written as
 * ISO 8601, so that only their dates change.
 */
export function shiftTimes(text: string, days: number): string {
  const moved = new Map<string, string>();
  return text.replace(/\b\d{4}-\d\d-\d\d(?=T\d\d:\d\d:\d\d)/g, (date) => {
    const known = moved.get(date);
    if (known !== undefined) return known;
    const later = new Date(Date.parse(`${date}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
    moved.set(date, later);
    return later;
  });
}

/** Returns by how many days a history moves to end yesterday (UTC): today has only what the demo plays live. */
export function daysUntil(now: Date, endedAt: string): number {
  const midnight = now.getTime() - (now.getTime() % dayMs);
  return Math.floor((midnight - Date.parse(endedAt)) / dayMs);
}
