"use client";

import { Tooltip } from "@mantine/core";
import Link from "next/link";
import classes from "#components/shell/shell.module.css";
import { formatRelative } from "#components/ui/format-time.ts";
import { StateIcon } from "#components/ui/state-badge.tsx";
import { type Freshness, useFreshness } from "#components/ui/use-freshness.ts";
import { useNow } from "#components/ui/use-now.ts";
import { formatDuration } from "#lib/client/format-duration.ts";

export function FreshnessLamp() {
  const freshness = useFreshness();
  const now = useNow();
  const icon = freshness.tone === "good" ? "successful" : freshness.tone === "wait" ? "running" : "unknown";
  return (
    <Tooltip label={explain(freshness)}>
      <Link
        href="/sources"
        className={classes.lamp}
        data-tone={freshness.tone}
        aria-label={`${sentence(freshness, now)}. Sources`}
      >
        <StateIcon state={icon} size={14} />
        {sentence(freshness, now)}
      </Link>
    </Tooltip>
  );
}

function sentence({ words, sinceMs, tone }: Freshness, now: number): string {
  if (sinceMs === undefined || now === 0) return words;
  return tone === "good"
    ? `${words}, ${formatRelative(sinceMs, now)}`
    : `${words} for ${formatDuration(now - sinceMs)}`;
}

function explain({ words, troubled }: Freshness): string {
  if (words === "live") return "Every source is live. The time shown is the oldest last contact.";
  if (words === "no answer") return "Gatehouse is not responding, so this page may be out of date.";
  if (troubled.length === 0) return "Waiting for the first answer.";
  const names = troubled.slice(0, 3).map(({ cluster, kind, state }) => `${cluster} ${kind}: ${state}`);
  return names.join(", ") + (troubled.length > 3 ? ` and ${troubled.length - 3} more` : "");
}
