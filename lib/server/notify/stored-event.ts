import { z } from "zod";
import { type NotifiableEvent, notifiableKinds } from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import type { Connection } from "#lib/server/platform/db/run-query.ts";
import { type RowOf, readRows } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Parses an event that was stored as JSON in a message. */
export const StoredEvent = z.object({
  id: z.string(),
  kind: z.enum([...notifiableKinds, "test"]),
  severity: z.enum(findingSeverities),
  target: z.object({ cluster: z.string(), namespace: z.string(), kind: z.string().nullable(), name: z.string() }),
  title: z.string(),
  sentence: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  path: z.string(),
  at: z.string(),
}) satisfies z.ZodType<NotifiableEvent>;

const Facts = StoredEvent.shape.facts.catch([]);

/** Selects everything of `notifiable_event` that `toEvent` needs. */
export const selectEvents = tables
  .selectFrom("notifiable_event")
  .select(["id", "seq", "kind", "severity", "cluster", "namespace", "object_kind", "name"])
  .select(["title", "sentence", "facts", "path", "at"]);

export function toEvent(row: RowOf<typeof selectEvents>): NotifiableEvent {
  const { id, kind, severity, title, sentence, path, cluster, namespace, name } = row;
  return {
    ...{ id, kind, severity, title, sentence, path },
    target: { cluster, namespace, kind: row.object_kind, name },
    facts: Facts.parse(row.facts),
    at: row.at.toISOString(),
  };
}

/** Reads the oldest events that no channel was told of yet, and locks them for the transaction. */
export async function lockUnplanned(connection: Connection, limit: number) {
  return readRows(
    connection,
    selectEvents.where("planned_at", "is", null).orderBy("seq").limit(limit).forUpdate().skipLocked(),
  );
}
