"use client";

import { Tooltip } from "@mantine/core";
import { formatDuration, formatExact, formatRelative } from "#components/ui/format-time.ts";
import { useNow } from "#components/ui/use-now.ts";

type RelativeTimeProps = {
  at: string;
  /** `ago`: "14 min ago"; `since`: the bare duration, for "waiting 14 min". */
  form?: "ago" | "since";
  /** In rows that are links as a whole, the exact time is shown only on hover, which keeps the tab order short. */
  focusable?: boolean;
};

/** Shows a relative time, exact on hover and focus. */
export function RelativeTime({ at, form = "ago", focusable = true }: RelativeTimeProps) {
  const now = useNow();
  const exact = formatExact(at);
  const atMs = Date.parse(at);
  const text =
    Number.isNaN(atMs) || now === 0 ? exact : form === "ago" ? formatRelative(atMs, now) : formatDuration(now - atMs);
  return (
    <Tooltip label={exact}>
      <time dateTime={at} data-full={exact} tabIndex={focusable ? 0 : undefined} style={{ whiteSpace: "nowrap" }}>
        {text}
      </time>
    </Tooltip>
  );
}
