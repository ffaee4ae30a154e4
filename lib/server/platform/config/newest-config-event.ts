import { confirmed } from "#lib/server/platform/config/confirmations.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Selects the newest report of the web processes about the config. */
export const selectNewestConfigEvent = tables
  .selectFrom("config_event")
  .select(["code", "content", "at"])
  .where("code", "<>", confirmed)
  .orderBy("id", "desc")
  .limit(1);
