import { type Connection, readRow } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

const selectOldest = tables.selectNoFrom(({ fn, selectFrom }) =>
  fn<Date | null>("least", [
    selectFrom("notifiable_event as e")
      .select((eb) => eb.fn.min("e.queued_at").as("at"))
      .where("e.planned_at", "is", null),
    selectFrom("notification_pending as p").select((eb) => eb.fn.min("p.since").as("at")),
    selectFrom("notification as n")
      .select((eb) => eb.fn.min("n.created_at").as("at"))
      .where("n.state", "in", ["queued", "sending"]),
  ]).as("oldest"),
);

/** Reads for how many seconds the oldest event or message has waited to be sent; 0 if none does. */
export async function readQueueAgeSeconds(connection: Connection, now: Date): Promise<number> {
  const row = await readRow(connection, selectOldest);
  const at = row?.oldest ?? null;
  return at === null ? 0 : Math.max(0, (now.getTime() - at.getTime()) / 1000);
}
