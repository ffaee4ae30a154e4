import { sql } from "kysely";
import pg from "pg";
import type { Logger } from "pino";
import { write } from "#lib/server/platform/db/run-query.ts";

export type Bell = { ring(): void; wait(ms: number): Promise<void> };

/** Waits for a ring or for a timeout. A ring between two waits ends the next one at once. */
export function createBell(): Bell {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring: () => {
      hasRung = true;
      wake?.();
    },
    wait: async (ms) => {
      if (!hasRung && ms > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          timer.unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      wake = undefined;
      hasRung = false;
    },
  };
}

/**
 * Keeps one connection that listens for changes in the change log; returns how to stop. Calls `onWake` for each one,
 * and after each (re)connection for missed ones.
 */
export function keepListening({
  url,
  name,
  log,
  onWake,
}: {
  /** Without a pooler in between. */
  url: string;
  /** Of the connection, for the database's own views. */
  name: string;
  log: Pick<Logger, "warn">;
  /** `payload`: of the notification. */
  onWake: (payload?: string) => void;
}): () => Promise<void> {
  let isClosed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  const connect = async () => {
    const fresh = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // Detects a silently cut connection within minutes instead of hours.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: 4000,
      application_name: name,
    });
    client = fresh;
    let isRetrying = false;
    const retry = (error?: Error) => {
      if (isClosed || isRetrying) return;
      isRetrying = true;
      log.warn({ err: error }, "listening connection is down");
      fresh.end().catch(() => {});
      timer = setTimeout(() => void connect(), 1000);
      timer.unref();
    };
    fresh.on("error", retry);
    fresh.on("end", () => retry());
    fresh.on("notification", ({ payload }) => onWake(payload));
    try {
      await fresh.connect();
      await write(fresh, sql`LISTEN gatehouse_change`);
      onWake();
    } catch (error) {
      retry(error instanceof Error ? error : undefined);
    }
  };
  void connect();

  return async () => {
    isClosed = true;
    clearTimeout(timer);
    await client?.end().catch(() => {});
  };
}
