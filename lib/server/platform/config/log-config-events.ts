import type { Logger } from "pino";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";

/** Writes one line to the process's log for each load, refusal and hold. */
export function logConfigEvents(store: ConfigStore, log: Logger): void {
  store.subscribe((event) => {
    const digest = event.digest?.slice(0, 12);
    if (event.type === "loaded") {
      const { clusters, bindings, needsRestart } = event;
      log.info({ digest, clusters, bindings }, "config loaded");
      if (needsRestart.length > 0) log.warn({ keys: needsRestart }, "these config keys count from the next start on");
    } else if (event.type === "refused")
      log.error({ digest, fault: event.fault, error: event.error }, "config refused; the last good one stays in force");
    else log.error({ digest, error: event.error }, "config held; the one before it stays in force");
  });
}
