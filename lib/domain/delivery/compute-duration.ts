/**
 * Returns the seconds from start to end, both by the source's clock. Null while either is unknown, and if the end
 * precedes the start: with contradicting clocks the time between is unknown (FC-20).
 */
export function computeDurationSeconds(startedAt: Date | null, endedAt: Date | null): number | null {
  if (startedAt === null || endedAt === null) return null;
  const milliseconds = endedAt.getTime() - startedAt.getTime();
  return milliseconds >= 0 ? milliseconds / 1000 : null;
}
