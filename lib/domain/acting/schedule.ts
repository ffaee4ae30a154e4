/** How far ahead an action may be scheduled, in days. */
export const longestScheduleDays = 7;

/** A scheduled action that could not be done until this long after its time is not done any more. */
export const scheduleGraceMinutes = 5;
