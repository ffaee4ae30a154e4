"use client";

import { Tooltip } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { formatClockTime, formatExact } from "#components/ui/format-time.ts";
import classes from "#components/ui/relative-time.module.css";
import { useNow } from "#components/ui/use-now.ts";
import { type TimeWords, wordTime } from "#components/ui/word-time.ts";
import { type TimeForm, timeFormChoice } from "#lib/client/time-display.ts";

type RelativeTimeProps = {
  at: string;
  /** `ago`: "14 min ago"; `for`: "for 14 min"; `since`: the bare duration. */
  form?: TimeWords;
  /** Shows the time itself, whatever the person chose: an auditor compares times with other records. */
  isExact?: boolean;
  /** Shows day and time if it is more than a day ago. */
  isDated?: boolean;
};

/**
 * Shows how long ago it was, or the time itself if the person chose that. It is no stop of the Tab key: a list would
 * have one per row. The pointer shows the exact time; the key `t` and the person's menu show it everywhere, and so does
 * paper.
 */
export function RelativeTime({ at, form = "ago", isExact = false, isDated = false }: RelativeTimeProps) {
  const nowMs = useNow();
  const chosen = useTimeForm();
  const shows = isExact ? "clock" : chosen;
  const exact = formatExact(at);
  return (
    <Tooltip label={isExact || isDated ? `${exact}, ${wordTime(at, { nowMs, form: "ago", shows: "ago" })}` : exact}>
      <time
        dateTime={at}
        data-full={form === "for" ? `since ${exact}` : exact}
        className={classes.time}
        suppressHydrationWarning
      >
        <span>{wordTime(at, { nowMs, form, shows, isDated })}</span>
      </time>
    </Tooltip>
  );
}

/** Shows the clock time only, in a list whose headings name the day and the zone. */
export function ClockTime({ at }: { at: string }) {
  const nowMs = useNow();
  const atMs = Date.parse(at);
  const clock = Number.isNaN(atMs) ? at : formatClockTime(atMs);
  return (
    <Tooltip label={`${formatExact(at)}, ${wordTime(at, { nowMs, form: "ago", shows: "ago" })}`}>
      <time dateTime={at} data-full={clock} className={classes.time} suppressHydrationWarning>
        <span>{clock}</span>
      </time>
    </Tooltip>
  );
}

/** Returns in which form this browser shows times; on the server, as most people have it. */
export function useTimeForm(): TimeForm {
  return useSyncExternalStore(timeFormChoice.subscribe, timeFormChoice.get, () => "ago");
}
