import { readNewestConfigEvent } from "#lib/server/platform/config/newest-config-event.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";

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
