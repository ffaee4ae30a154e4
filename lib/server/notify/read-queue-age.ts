import { sql } from "kysely";
import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { fragment } from "#lib/server/platform/db/tables.ts";

const eb = fragment<{ e: "notifiable_event" }>();

const oldest = sql<Date | null>`LEAST(
  (${eb
    .selectFrom("notifiable_event as e")
    .select(({ fn }) => fn.min("e.queued_at").as("at"))
    .where("e.planned_at", "is", null)}),
  (${eb.selectFrom("notification_pending as p").select(({ fn }) => fn.min("p.since").as("at"))}),
  (${eb
    .selectFrom("notification as n")
    .select(({ fn }) => fn.min("n.created_at").as("at"))
    .where("n.state", "in", ["queued", "sending"])}))`;

/** Reads for how many seconds the oldest event or message has waited to be sent; 0 if none does. */
export async function readQueueAgeSeconds(connection: Connection, now: Date): Promise<number> {
  const row = await readRow(connection, sql<{ oldest: Date | null }>`SELECT ${oldest} AS oldest`);
  const at = row?.oldest ?? null;
  return at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
