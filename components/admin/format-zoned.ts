/** Formats a time by the clock of a zone, such as `Fri 20 Nov, 18:00`. */
export function formatZoned(at: string, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone,
  }).format(new Date(at));
}
