import { z } from "zod";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import type { RowOf } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { StoredEvent } from "./stored-event.ts";

/** The columns that a message is read from. */
const messageColumns = ["id", "shape", "severity", "title", "routes", "events", "incident_id"] as const;

export const selectMessages = tables.selectFrom("notification").select(messageColumns);

const Content = z.object({ routes: z.array(z.string()), events: z.array(StoredEvent) });

/** Undefined for a message that cannot be read. */
export function parseMessage(row: RowOf<typeof selectMessages>): Message | undefined {
  const { id, shape, severity, title, incident_id: incidentId } = row;
  const content = Content.safeParse({ routes: row.routes, events: row.events });
  return content.success ? { id, shape, severity, title, ...content.data, incidentId } : undefined;
}
