import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { basePath, withBasePath } from "#lib/client/base-path.ts";
import { type BrowserNotice, pickNotices } from "#lib/client/browser-notifications.ts";
import { queryKeys } from "#lib/client/query-keys.ts";
import { request } from "#lib/client/request.ts";
import { serverNowMs } from "#lib/client/server-clock.ts";
import type { NotifiableEventItem } from "#lib/contract/notification.ts";

// Another Gatehouse below another path of the host has locks and storage in common with this one.
const lockName = `gatehouse-browser-notifications${basePath}`;
const seenKey = `gatehouse-notified${basePath}`;

/**
 * Shows notifications of the browser while `isOn`. One tab per browser does: the one that holds the lock; the next one
 * goes on where it stopped. `open` opens a path of the user interface.
 */
export function useBrowserNotifications(isOn: boolean, open: (path: string) => void): void {
  const leads = useLock(isOn);
  const { data } = useQuery({
    queryKey: queryKeys.notifiableEvents(),
    queryFn: ({ signal }) =>
      request<{ items: NotifiableEventItem[] }>({ path: "/api/v1/notifiable-events", query: { limit: 50 }, signal }),
    enabled: leads,
  });
  useEffect(() => {
    if (!leads || data === undefined) return;
    const { notices, seen } = pickNotices({ items: data.items, seen: readSeen(), nowMs: serverNowMs() });
    // Remembered first: a notice that fails is not tried for ever.
    localStorage.setItem(seenKey, JSON.stringify(seen));
    for (const notice of notices) show(notice, open);
  }, [data, leads, open]);
}

/** Forgets what was shown, so that only what happens from now on is. */
export function forgetNotified(): void {
  localStorage.removeItem(seenKey);
}

function useLock(isWanted: boolean): boolean {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (!isWanted || navigator.locks === undefined) return;
    const stop = new AbortController();
    const released = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));
    navigator.locks
      .request(lockName, { signal: stop.signal }, () => {
        setHeld(true);
        return released;
      })
      .catch(() => undefined);
    return () => {
      stop.abort();
      setHeld(false);
    };
  }, [isWanted]);
  return isHeld;
}

function readSeen(): string[] | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(seenKey) ?? "null");
    return Array.isArray(value) ? value.map(String) : undefined;
  } catch {
    return undefined;
  }
}

function show({ id, title, body, path }: BrowserNotice, open: (path: string) => void): void {
  try {
    const notification = new Notification(title, { body, tag: id, icon: withBasePath("/favicon.svg") });
    notification.onclick = () => {
      window.focus();
      notification.close();
      open(path);
    };
  } catch {
    // Some browsers know the interface and only let service workers show one.
  }
}
