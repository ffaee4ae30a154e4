import type { Pool } from "pg";

/**
 * Returns what the web processes last reported about the config, for a command that cannot ask them: undefined if they
 * loaded it, or if none has run yet.
 */
export async function readConfigTrouble(pool: Pick<Pool, "query">): Promise<string | undefined> {
  const { rows } = await pool.query<{ code: string; at: Date }>(
    "SELECT code, at FROM config_event ORDER BY id DESC LIMIT 1",
  );
  const [last] = rows;
  if (last === undefined || last.code === "config.loaded") return undefined;
  const what = last.code === "config.held" ? "held" : "refused";
  return `the running processes have ${what} the config file since ${last.at.toISOString()}`;
}
