const dayMs = 86_400_000;

/** ISO 8601; `to` is exclusive. */
export type Period = { from: string; to: string };

/** The default period of insights. */
export const defaultDays = 30;
/** A longer period is refused. */
export const mostDays = 400;

/**
 * Completes a period: until now, and 30 days, by default. Undefined if it is empty or too long, or begins more than
 * `mostDays` ago without an end.
 */
export function completePeriod({ from, to }: Partial<Period>, now: Date): Period | undefined {
  const toMs = to === undefined ? now.getTime() : Date.parse(to);
  const fromMs = from === undefined ? toMs - defaultDays * dayMs : Date.parse(from);
  if (!(fromMs < toMs) || toMs - fromMs > mostDays * dayMs) return undefined;
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** Returns the period of the same length that ends when this one begins. */
export function periodBefore({ from, to }: Period): Period {
  const fromMs = Date.parse(from);
  return { from: new Date(fromMs - (Date.parse(to) - fromMs)).toISOString(), to: from };
}

/**
 * Returns the days of a period in which releases could be recorded: time before the beginning of the record, or after
 * now, does not count.
 */
export function countRecordedDays({ from, to }: Period, recordedSince: Date | undefined, now: Date): number {
  const fromMs = Math.max(Date.parse(from), recordedSince?.getTime() ?? Number.POSITIVE_INFINITY);
  return Math.max(0, Math.min(Date.parse(to), now.getTime()) - fromMs) / dayMs;
}

/** Returns whether the record covers a period from its beginning. */
export function isRecorded({ from }: Period, recordedSince: Date | undefined): boolean {
  return recordedSince !== undefined && recordedSince.getTime() <= Date.parse(from);
}
