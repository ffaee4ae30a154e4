"use client";

import { Tooltip } from "@mantine/core";
import Link from "next/link";
import classes from "#components/shell/shell.module.css";
import { type Freshness, summariseFreshness } from "#components/shell/summarise-freshness.ts";
import { formatDuration, formatRelative } from "#components/ui/format-time.ts";
import { StateIcon } from "#components/ui/state-icon.tsx";
import { useNow } from "#components/ui/use-now.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import { useSources } from "#lib/client/system-queries.ts";
import { useStreamStatus } from "#lib/client/use-change-stream.ts";

/** How fresh what this page shows is, judged once a second. */
export function useFreshness(): Freshness {
  const now = useNow();
  const stream = useStreamStatus();
  const { data, dataUpdatedAt } = useSources();
  const skew = now === 0 ? 0 : serverNowMs() - Date.now();
  return summariseFreshness({ sources: data?.items, answeredMs: dataUpdatedAt + skew, stream, nowMs: now });
}

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
  if (words === "live") return "Every source answers. The time is that of the oldest last contact.";
  if (words === "no answer") return "Gatehouse does not answer this page, so what you see may be out of date.";
  if (troubled.length === 0) return "Waiting for the first answer.";
  const names = troubled.slice(0, 3).map(({ cluster, kind, state }) => `${cluster} ${kind}: ${state}`);
  return names.join(", ") + (troubled.length > 3 ? ` and ${troubled.length - 3} more` : "");
}
