"use client";

import { useLocalStorage } from "@mantine/hooks";
import { useRouter } from "next/navigation";
import { useCallback, useEffect } from "react";
import { useWaitingCount } from "#components/shell/rail.tsx";
import { countTitle, preferenceKey } from "#lib/client/browser-notifications.ts";
import { eventHref } from "#lib/client/event-href.ts";
import { useBrowserNotifications } from "#lib/client/use-browser-notifications.ts";

/** Shows the waiting count in the page title and, if the reader wants them, browser notifications. */
export function BrowserNotifier() {
  const router = useRouter();
  const [preference] = useLocalStorage({ key: preferenceKey, defaultValue: "off", getInitialValueInEffect: false });
  const isGranted = typeof Notification !== "undefined" && Notification.permission === "granted";
  const open = useCallback((path: string) => router.push(eventHref(path)), [router]);
  useBrowserNotifications(preference === "on" && isGranted, open);
  useTitleCount(useWaitingCount());
  return null;
}

/** Keeps the count in front of the title; each page sets its own title as it opens. */
function useTitleCount(count: string | undefined): void {
  useEffect(() => {
    const apply = () => {
      const wanted = countTitle(document.title, count);
      if (document.title !== wanted) document.title = wanted;
    };
    apply();
    const observer = new MutationObserver(apply);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
  }, [count]);
}
