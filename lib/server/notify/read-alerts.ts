import type { Message } from "#lib/domain/notify/compose-messages.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { type Connection, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import type { AlertState } from "./channels/post-json.ts";
import { StoredEvent } from "./stored-event.ts";

/**
 * Returns the alerts that a message is about, as they stand now: messages may be sent in another order than they were
 * made. One that is over is not opened again, and one that is open is not resolved.
 */
export async function readAlerts(
  connection: Connection,
  { channel, message, madeAt }: { channel: { name: string }; message: Message; madeAt: Date },
): Promise<AlertState[]> {
  const { shape, events } = message;
  if (shape === "test") return events.map((event) => ({ event, endedAt: null }));
  const ids = events.flatMap(({ matter }) => matter?.id ?? []);
  const query = tables
    .selectFrom("notification_matter")
    .select(["matter_id", "event"])
    .where("channel", "=", channel.name)
    .where("told_at", "is not", null);
  const rows = await readRows(
    connection,
    shape === "refresh" ? query : query.where(({ ref }) => isOneOf(ref("matter_id"), ids, "uuid")),
  );
  const open = new Map(rows.map((row) => [row.matter_id, StoredEvent.parse(row.event)]));
  if (shape === "refresh") return [...open.values()].map((event) => ({ event, endedAt: null }));
  // The labels of an alert follow from the matter and its severity.
  const isOpen = ({ matter, severity }: Message["events"][number]): boolean =>
    open.get(matter?.id ?? "")?.severity === severity;
  if (shape === "resolve") return events.flatMap((event) => (isOpen(event) ? [] : { event, endedAt: madeAt }));
  return events.flatMap((event) => (isOpen(event) ? { event, endedAt: null } : []));
}
