import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { showsAny } from "#lib/client/affected-keys.ts";
import { createChangeBatcher } from "#lib/client/change-batcher.ts";
import { goToSignIn } from "#lib/client/session.ts";
import { type StreamStatus, startSharedStream } from "#lib/client/shared-stream.ts";

const visiblePauseMs = 200;
const hiddenPauseMs = 3_000;
/** While the stream is down, the pages poll. */
const pollMs = 10_000;

/** Keeps every query of this tab up to date from the change stream. Mounted once, in the shell. */
export function useChangeStream(): void {
  const client = useQueryClient();
  useEffect(() => {
    const push = createChangeBatcher({
      refetch: ({ queryKey, shows }) =>
        client.invalidateQueries({
          queryKey,
          predicate: ({ state }) => shows === undefined || showsAny(state.data, shows),
        }),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      pauseMs: () => (document.hidden ? hiddenPauseMs : visiblePauseMs),
      now: () => performance.now(),
    });
    const stop = startSharedStream({
      onChanges: push,
      onReset: () => void client.invalidateQueries(),
      onStatus: streamStatus.set,
      onUnauthenticated: goToSignIn,
    });
    const poll = setInterval(() => {
      if (streamStatus.snapshot().state !== "live") void client.invalidateQueries();
    }, pollMs);
    return () => {
      clearInterval(poll);
      stop();
    };
  }, [client]);
}

export function useStreamStatus(): StreamStatus {
  return useSyncExternalStore(streamStatus.subscribe, streamStatus.snapshot, streamStatus.serverSnapshot);
}

const initial: StreamStatus = { state: "connecting", sinceMs: 0, heardMs: undefined };
let current = initial;
const listeners = new Set<() => void>();

/** The state of the change stream, readable by every component. */
const streamStatus = {
  set(status: StreamStatus): void {
    current = status;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: (): StreamStatus => current,
  serverSnapshot: (): StreamStatus => initial,
};
