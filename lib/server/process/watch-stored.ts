import type { Logger } from "pino";
import type { ChangeFeed } from "#lib/server/process/change-feed.ts";

export type Watched<Value> = { current(): Value; close(): void };

const retryMs = 1000;
/** A change that is committed before the feed has its first place is in no batch. */
const againMs = 10_000;

export type WatchOptions = { changes: Pick<ChangeFeed, "subscribe">; log: Pick<Logger, "warn"> };

type Stored<Value> = {
  kind: string;
  /** Until the first answer. */
  initial: Value;
  read: () => Promise<Value>;
};

/**
 * Keeps a small stored value in memory: read at the start, after each change of its kind in the change log, and every 10
 * seconds.
 */
export function watchStored<Value>({
  changes,
  log,
  kind,
  initial,
  read,
}: WatchOptions & Stored<Value>): Watched<Value> {
  let current = initial;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let last = 0;

  const readAgain = async () => {
    clearTimeout(retry);
    const turn = ++last;
    try {
      const value = await read();
      // An answer that was overtaken is older.
      if (turn === last) current = value;
    } catch (error) {
      if (isClosed) return;
      log.warn({ err: error, kind }, "a stored value cannot be read");
      retry = setTimeout(readAgain, retryMs).unref();
    }
  };

  const unsubscribe = changes.subscribe({
    onChanges: (batch) => {
      if (batch.some(({ event }) => event.kind === kind)) void readAgain();
    },
    onReset: () => void readAgain(),
    onClose: () => {},
  });
  const again = setInterval(readAgain, againMs).unref();
  void readAgain();
  return {
    current: () => current,
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      clearInterval(again);
      unsubscribe();
    },
  };
}
