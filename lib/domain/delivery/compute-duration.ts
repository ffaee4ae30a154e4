/**
 * Returns the seconds from start to end, both by the source's clock. Null while one of them is unknown, and if the end
 * precedes the start: contradicting clocks say nothing about the time between (FC-20).
 */
export function computeDurationSeconds(startedAt: Date | null, endedAt: Date | null): number | null {
  if (startedAt === null || endedAt === null) return null;
  const milliseconds = endedAt.getTime() - startedAt.getTime();
  return milliseconds >= 0 ? milliseconds / 1000 : null;
}
