import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useSyncExternalStore } from "react";
import { type Affected, affectedKeysOf, isHeldBySet, showsAny } from "#lib/client/affected-keys.ts";
import { sessionEnd } from "#lib/client/session.ts";
import { type StreamStatus, startSharedStream } from "#lib/client/shared-stream.ts";
import type { ChangeEvent } from "#lib/contract/system.ts";

const visiblePauseMs = 200;
const hiddenPauseMs = 3_000;
/** While the stream is down, the pages poll. */
const pollMs = 10_000;

/** Keeps every query of this tab up to date from the change stream. Mounted once, in the shell. */
export function useChangeStream(): void {
  const client = useQueryClient();
  useEffect(() => {
    const push = createChangeBatcher({
      refetch: ({ queryKey, shows, isHeld }) =>
        client.invalidateQueries({
          queryKey,
          predicate: ({ state }) =>
            (shows === undefined || showsAny(state.data, shows)) && (isHeld === undefined || isHeldBySet(state.data)),
        }),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      pauseMs: () => (document.hidden ? hiddenPauseMs : visiblePauseMs),
      now: () => performance.now(),
    });
    const stop = startSharedStream({
      onChanges: push,
      onReset: () => void client.invalidateQueries(),
      onStatus: streamStatus.set,
      onUnauthenticated: sessionEnd.note,
    });
    const poll = setInterval(() => {
      // Without a session every answer is a 401, and the dialog checks whether there is one again.
      if (streamStatus.snapshot().state !== "live" && !sessionEnd.snapshot()) void client.invalidateQueries();
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

type ChangeBatcherInput = {
  /** Refetches the affected queries; resolves when the data has arrived. */
  refetch(affected: Affected): Promise<unknown>;
  sleep(ms: number): Promise<void>;
  /** Returns the minimum time between two batches. */
  pauseMs(): number;
  now(): number;
};

/** The pause as a multiple of the time that the fetch took. */
const pauseFactor = 2;
const longestPauseMs = 10_000;

/**
 * Refetches at once for the first change. Collects the changes that arrive during the fetch and the pause after it,
 * then refetches once per key. Invariant: nothing is dropped or postponed forever. Under a steady stream, every pass
 * handles all that came in, and no pass interrupts the previous one. A fetch that takes long, such as that of a list
 * with a hundred loaded pages, is followed by a pause that is longer still, so that a page asks for a third of the time
 * at most.
 */
export function createChangeBatcher({
  refetch,
  sleep,
  pauseMs,
  now,
}: ChangeBatcherInput): (changes: ChangeEvent[]) => void {
  let waiting: ChangeEvent[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        const startMs = now();
        await Promise.allSettled(affectedKeysOf(batch).map(refetch));
        const tookMs = now() - startMs;
        await sleep(Math.max(pauseMs(), Math.min(pauseFactor * tookMs, longestPauseMs)));
      }
    } finally {
      running = false;
    }
  }

  return (changes) => {
    waiting.push(...changes);
    if (!running) void run();
  };
}
