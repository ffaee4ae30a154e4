import { type SqlBool, sql } from "kysely";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { channelIsGone } from "./make-messages.ts";

/** Ends the messages to channels that the config no longer has. Resolves with the types of their channels. */
export async function suppressOrphans({
  pool,
  channels,
  now,
}: {
  pool: Connection;
  channels: readonly { name: string }[];
  now: Date;
}): Promise<string[]> {
  const names = channels.map(({ name }) => name);
  const rows = await readRows(
    pool,
    tables
      .updateTable("notification")
      .set({ state: "suppressed", ended_at: now, last_error: channelIsGone })
      .where("state", "in", ["queued", "sending"])
      .where(({ ref }) => sql<SqlBool>`${ref("channel")} <> ALL(${names}::text[])`)
      .returning("channel_type"),
  );
  return rows.map(({ channel_type: type }) => type);
}
