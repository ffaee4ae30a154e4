import type pg from "pg";
import type { Logger } from "pino";
import {
  type Change,
  type ChangeCursor,
  compareCursors,
  dropRepeatedChanges,
  readChangeLogState,
  readChanges,
} from "#lib/server/platform/db/change-log.ts";
import { createAnnouncedTraces } from "./announced-traces.ts";
import { createBell, keepListening } from "./change-bell.ts";

export type ChangeListener = {
  /** The owner, see `actorKey`; absent for the process itself. */
  owner?: string;
  /** Receives the same array as every other listener of a round. */
  onChanges(changes: readonly Change[]): void;
  /** Called if the changes delivered so far no longer match the log: refetch everything. */
  onReset(cursor: ChangeCursor): void;
  /** Called when the process stops. */
  onClose(): void;
};

/** The only reader of the change log in this process; every open event stream subscribes to it. */
export type ChangeFeed = {
  /** Returns the position up to which listeners were notified; undefined until the database has been reached. */
  cursor(): ChangeCursor | undefined;
  subscribe(listener: ChangeListener): () => void;
  /** Returns changes after a client's own position, or `reset` if the log no longer reaches back to it. */
  readSince(cursor: ChangeCursor): Promise<Change[] | "reset">;
  /** Counts the listeners that have an owner, or those of one owner. */
  listenerCount(owner?: string): number;
  /** Returns false from the first failed read of the database until one succeeds again. */
  isDatabaseReachable(): boolean;
  /** Ends all listeners and the connection. */
  close(): Promise<void>;
};

type Options = {
  pool: pg.Pool;
  /** A connection without a pooler in between, for LISTEN. */
  directUrl: string;
  log: Logger;
  onDatabaseError: () => void;
  /** Called on every turn of the loop, which also turns while the database is down. */
  onTurn?: () => void;
  pollMs?: number;
};

/** How long a turn may take: a silent database is given up after 20 s, and queried twice. */
export const changeFeedTurnMs = 25_000;
const pendingPollMs = 20;
const maxReplay = 5000;

export function startChangeFeed(options: Options): ChangeFeed {
  const { pool, directUrl, log, onDatabaseError, onTurn, pollMs = 2000 } = options;
  const listeners = new Set<ChangeListener>();
  let cursor: ChangeCursor | undefined;
  let isClosed = false;
  let isReachable = true;
  const bell = createBell();
  const traces = createAnnouncedTraces();
  const onWake = (payload?: string): void => {
    traces.hear(payload);
    bell.ring();
  };
  const closeListen = keepListening({ url: directUrl, name: "gatehouse-web-listen", log, onWake });

  const step = async (): Promise<number> => {
    if (cursor === undefined) {
      cursor = (await readChangeLogState(pool)).end;
      return 0;
    }
    const readAt = performance.now();
    const batch = await readChanges({ pool, after: cursor });
    const foundAt = performance.now();
    if (cursor.xid > batch.next) {
      cursor = (await readChangeLogState(pool)).end;
      for (const listener of [...listeners]) listener.onReset(cursor);
      return 0;
    }
    cursor = batch.cursor;
    const changes = dropRepeatedChanges(batch.changes);
    if (changes.length > 0) for (const listener of [...listeners]) listener.onChanges(changes);
    traces.send(batch.changes, { readAt, foundAt, sentAt: performance.now(), listeners: listeners.size });
    if (batch.isFull) return 0;
    return batch.hasPending ? pendingPollMs : pollMs;
  };

  const run = async () => {
    let quietMs = pendingPollMs;
    while (!isClosed) {
      onTurn?.();
      let waitMs: number;
      try {
        waitMs = await step();
        isReachable = true;
        // One long open transaction does not justify fifty polls a second.
        quietMs = waitMs === pendingPollMs ? Math.min(quietMs * 2, 1000) : pendingPollMs;
        if (waitMs === pendingPollMs) waitMs = quietMs;
      } catch (error) {
        if (isClosed) return;
        isReachable = false;
        onDatabaseError();
        log.warn({ err: error }, "change log cannot be read");
        waitMs = 1000;
      }
      await bell.wait(waitMs);
    }
  };
  void run();

  return {
    cursor: () => cursor,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    readSince: async (from) => {
      const state = await readChangeLogState(pool);
      if (from.xid > state.next) return "reset";
      if (state.oldest === undefined) return cursor !== undefined && compareCursors(from, cursor) === 0 ? [] : "reset";
      if (compareCursors(from, state.oldest) < 0) return "reset";
      const batch = await readChanges({ pool, after: from, limit: maxReplay });
      return batch.isFull ? "reset" : dropRepeatedChanges(batch.changes);
    },
    listenerCount: (owner) =>
      [...listeners].filter((listener) =>
        owner === undefined ? listener.owner !== undefined : listener.owner === owner,
      ).length,
    isDatabaseReachable: () => isReachable,
    close: async () => {
      isClosed = true;
      for (const listener of [...listeners]) listener.onClose();
      listeners.clear();
      bell.ring();
      await closeListen();
    },
  };
}
