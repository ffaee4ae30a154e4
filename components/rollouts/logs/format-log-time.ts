const clock = new Intl.DateTimeFormat("en-GB", {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  fractionalSecondDigits: 3,
  hourCycle: "h23",
});
/** Formats the time of a line in the visitor's own zone, to the millisecond. */
export function formatLogTime(ms: number): string {
  return clock.format(ms);
}
