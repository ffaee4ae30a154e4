import type { Logger } from "pino";
import type { ConfigStore } from "#lib/server/platform/config/config-store.ts";
import { confirmed } from "#lib/server/platform/config/confirmations.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

/** Reads the newest report of the web processes about the config; null if there is none. */
export function readNewestConfigEvent(connection: Connection) {
  return prismaOn(connection).configEvent.findFirst({
    where: { code: { not: confirmed } },
    orderBy: { id: "desc" },
    select: { code: true, content: true, at: true },
  });
}

/**
 * Returns the trouble that the web processes last reported about the config, for a command that cannot ask them.
 * Undefined if they loaded the config, or if no web process has run yet.
 */
export async function readConfigTrouble(connection: Connection): Promise<string | undefined> {
  const last = await readNewestConfigEvent(connection);
  if (last === null || last.code === "config.loaded") return undefined;
  const what = last.code === "config.held" ? "held" : "refused";
  return `the running processes have ${what} the config file since ${last.at.toISOString()}`;
}

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
