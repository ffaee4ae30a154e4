"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queryKeys } from "#lib/client/query-keys.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

/** The database decides; its clock may be a little behind. */
const graceMs = 1_000;
/** Browsers fire a longer timer at once. */
const longestMs = 2 ** 31 - 1;

/** Reads the inbox again when the next snooze ends: the passing of time causes no change event. */
export function useWakeTimes(items: readonly InboxItem[]): void {
  const client = useQueryClient();
  const [round, setRound] = useState(0);
  const next = findNextWake(items);
  // biome-ignore lint/correctness/useExhaustiveDependencies: if the row has not come back yet, the next round asks again.
  useEffect(() => {
    if (next === undefined) return;
    const delay = Math.min(longestMs, Math.max(0, next - serverNowMs()) + graceMs);
    const timer = setTimeout(() => {
      void client.invalidateQueries({ queryKey: queryKeys.inbox() });
      setRound((value) => value + 1);
    }, delay);
    return () => clearTimeout(timer);
  }, [client, next, round]);
}

/** Returns when the first snooze ends, in milliseconds; undefined if no snooze ends at a time. */
export function findNextWake(items: readonly InboxItem[]): number | undefined {
  const times = items.flatMap(({ handling: { snooze } }) =>
    snooze === null || snooze.until === null ? [] : [Date.parse(snooze.until)],
  );
  return times.length === 0 ? undefined : Math.min(...times);
}
