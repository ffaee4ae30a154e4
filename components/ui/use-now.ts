import { useSyncExternalStore } from "react";
import { serverNowMs } from "#lib/client/server-clock.ts";

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;
let nowMs = 0;

function tick(): void {
  nowMs = serverNowMs();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    nowMs = serverNowMs();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      clearInterval(timer);
      timer = undefined;
    }
  };
}

function snapshot(): number {
  if (nowMs === 0) nowMs = serverNowMs();
  return nowMs;
}

/** Returns the server's time, once a second, from one timer for the whole page; 0 during server rendering. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, snapshot, () => 0);
}
