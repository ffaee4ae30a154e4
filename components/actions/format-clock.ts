import { createZonedFormat } from "#components/ui/zoned-format.ts";

const formatDay = createZonedFormat({ weekday: "short", day: "numeric", month: "short" });
const formatMinute = createZonedFormat({ hour: "2-digit", minute: "2-digit" });

/** Formats a time to come by the person's clock: `14:30`, or `Tue 24 Nov, 09:00` if it is on another day. */
export function formatClock(atMs: number, nowMs: number): string {
  const [day, time] = [formatDay(atMs), formatMinute(atMs)];
  // More than a day away the same weekday may come again.
  const isToday = day === formatDay(nowMs) && Math.abs(atMs - nowMs) < 86_400_000;
  return isToday ? time : `${day.replace(",", "")}, ${time}`;
}
