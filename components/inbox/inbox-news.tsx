"use client";

import { VisuallyHidden } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { listArrivals, listDepartures, wordNews } from "#components/inbox/word-news.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { InboxItem } from "#lib/contract/inbox.ts";

/** Tells screen readers which rows come and go. The rows themselves say nothing: they change in place. */
export function InboxNews({ items }: { items: readonly InboxItem[] }) {
  const [openedMs] = useState(serverNowMs);
  const [news, setNews] = useState("");
  const previous = useRef(items);
  useEffect(() => {
    const [before, now] = [previous.current, items];
    previous.current = items;
    const words = wordNews({
      arrived: listArrivals(before, now, openedMs),
      left: listDepartures(before, now),
    });
    if (words !== undefined) setNews(words);
  }, [items, openedMs]);
  return <VisuallyHidden role="status">{news}</VisuallyHidden>;
}
