import { tables } from "#lib/server/platform/db/tables.ts";

/** Selects the newest report of the web processes about the config. */
export const selectNewestConfigEvent = tables
  .selectFrom("config_event")
  .select(["code", "content", "at"])
  .orderBy("id", "desc")
  .limit(1);
