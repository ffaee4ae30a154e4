import type { Pool } from "pg";
import type { Logger } from "pino";
import type { FreezePeriod } from "#lib/domain/policy/freeze.ts";
import { readDatabaseTime } from "#lib/server/platform/db/database-time.ts";
import type { ChangeFeed } from "#lib/server/process/change-feed.ts";
import { readFreezes, toFreezePeriod } from "#lib/server/records/freeze-row.ts";

export type WatchedFreezes = { current(): readonly FreezePeriod[]; close(): void };

const retryMs = 1000;

/**
 * Keeps the freezes that people made in memory, for lists and buttons: read at the start and after each change of one.
 * A click reads them again (`judge-click.ts`).
 */
export function watchFreezes({
  pool,
  changes,
  log,
}: {
  pool: Pool;
  changes: Pick<ChangeFeed, "subscribe">;
  log: Pick<Logger, "warn">;
}): WatchedFreezes {
  let current: readonly FreezePeriod[] = [];
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;
  let last = 0;

  const read = async () => {
    clearTimeout(retry);
    const turn = ++last;
    try {
      const rows = await readFreezes(pool, await readDatabaseTime(pool));
      // An answer that was overtaken is older.
      if (turn === last) current = rows.map(toFreezePeriod);
    } catch (error) {
      if (isClosed) return;
      log.warn({ err: error }, "freezes cannot be read");
      retry = setTimeout(read, retryMs).unref();
    }
  };

  const unsubscribe = changes.subscribe({
    onChanges: (batch) => {
      if (batch.some(({ event }) => event.kind === "freeze")) void read();
    },
    onReset: () => void read(),
    onClose: () => {},
  });
  void read();
  return {
    current: () => current,
    close: () => {
      isClosed = true;
      clearTimeout(retry);
      unsubscribe();
    },
  };
}
