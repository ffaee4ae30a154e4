const dayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const minuteFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** Formats a time to come by the visitor's clock: `14:30`, or `Tue 24 Nov, 09:00` if it is on another day. */
export function formatClock(atMs: number, nowMs: number): string {
  const time = minuteFormat.format(atMs);
  const isToday = new Date(atMs).toDateString() === new Date(nowMs).toDateString();
  return isToday ? time : `${dayFormat.format(atMs).replace(",", "")}, ${time}`;
}
