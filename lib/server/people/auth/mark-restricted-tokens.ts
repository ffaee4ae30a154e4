import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { z } from "zod";
import type { LoadedConfig } from "#lib/server/platform/config/load-config.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";

type Store = { current(): LoadedConfig; subscribe(listener: () => void): () => void };

/**
 * Marks each token that a binding names, at each load of the config. When the bindings go, the token then has no
 * rights, instead of all of its owner's. Retries while the database is down, even if the next load no longer names the
 * token. Returns how to stop.
 */
export function markRestrictedTokens({
  store,
  pool,
  log,
  retryMs = 2000,
}: {
  store: Store;
  pool: Pool;
  log: Logger;
  retryMs?: number;
}): () => Promise<void> {
  const waiting = new Set<string>();
  const stop = new AbortController();
  let running: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    while (waiting.size > 0 && !stop.signal.aborted) {
      const ids = [...waiting];
      try {
        await prismaOn(pool).apiToken.updateMany({
          where: { id: { in: ids.filter(isUuid) }, restricted: false },
          data: { restricted: true },
        });
        for (const id of ids) waiting.delete(id);
      } catch (error) {
        log.debug({ err: error }, "tokens that bindings name are not marked yet");
        await sleep(retryMs, undefined, { signal: stop.signal, ref: false }).catch(() => {});
      }
    }
    running = undefined;
  };
  const unsubscribe = store.subscribe(() => {
    for (const { tokens } of store.current().config.auth.roles) for (const id of tokens) waiting.add(id.toLowerCase());
    if (waiting.size > 0) running ??= run();
  });
  return async () => {
    unsubscribe();
    stop.abort();
    await running;
  };
}

/** The ids come from a config, so they are not always UUIDs. */
function isUuid(id: string): boolean {
  return z.guid().safeParse(id).success;
}
