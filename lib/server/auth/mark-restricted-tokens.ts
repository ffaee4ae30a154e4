import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { LoadedConfig } from "#lib/server/config/load-config.ts";

type Store = { current(): LoadedConfig; subscribe(listener: () => void): () => void };

/**
 * Remembers of each token that a binding has named it, at each load of the config: when the bindings go, the token has
 * nothing, and not all that its owner has. A database that is away is waited for, also where the next load does not
 * name the token any more. Returns how to stop.
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
        await pool.query("UPDATE api_token SET restricted = true WHERE id::text = ANY ($1) AND NOT restricted", [ids]);
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
