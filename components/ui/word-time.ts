import { formatDated, formatExact, formatMoment, formatRelative } from "#components/ui/format-time.ts";
import { formatDuration } from "#lib/client/format-duration.ts";
import type { TimeForm } from "#lib/client/time-display.ts";

const day = 86_400_000;

export type TimeWords = "ago" | "for" | "since";

type TimeContext = {
  /** 0 if it is not known yet. */
  nowMs: number;
  form: TimeWords;
  /** The form that the person chose. */
  shows: TimeForm;
  /** A time of more than a day ago is a day and a time in either form: in a list of weeks, an age says too little. */
  isDated?: boolean;
};

/** Words a time: "14 min ago", "for 14 min" or "14 min"; by the clock "20:49:11", "since 20:49:11" or "20:49:11". */
export function wordTime(at: string, { nowMs, form, shows, isDated }: TimeContext): string {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs) || nowMs === 0) return formatExact(at);
  if (isDated === true && nowMs - atMs > day) return formatDated(atMs, nowMs);
  if (shows === "clock") {
    const moment = formatMoment(atMs, nowMs);
    return form === "for" ? `since ${moment}` : moment;
  }
  if (form === "ago") return formatRelative(atMs, nowMs);
  return form === "for" ? `for ${formatDuration(nowMs - atMs)}` : formatDuration(nowMs - atMs);
}
