const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat("en-GB", { day: "2-digit", month: "short" });

/** Formats the time of a line in the visitor's own zone, to the millisecond; the day is shown where it changes. */
export function formatLogTime(ms: number): string {
  return clock.format(ms);
}

export function formatLogDay(ms: number): string {
  return day.format(ms);
}
