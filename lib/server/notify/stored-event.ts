import { z } from "zod";
import {
  deploymentStatuses,
  type NotifiableEvent,
  notifiableKinds,
  servicePredicates,
} from "#lib/domain/notify/notifiable-event.ts";
import { findingSeverities } from "#lib/domain/oversight/rule.ts";
import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { withChangeLog } from "#lib/server/platform/db/log-change.ts";
import { type Connection, type RowOf, readRows, write } from "#lib/server/platform/db/run-query.ts";
import { jsonOf } from "#lib/server/platform/db/sql-functions.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

/** Parses an event that was stored as JSON in a message. */
export const StoredEvent = z.object({
  id: z.string(),
  kind: z.enum([...notifiableKinds, "test", "deployment"]),
  severity: z.enum(findingSeverities),
  target: z.object({ cluster: z.string(), namespace: z.string(), kind: z.string().nullable(), name: z.string() }),
  title: z.string(),
  sentence: z.string(),
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  path: z.string(),
  at: z.string(),
  matter: z
    .object({
      id: z.string(),
      rolloutId: z.string().nullable(),
      cause: z.string(),
      version: z.string().nullable(),
      since: z.string(),
    })
    .optional(),
  ticket: z
    .object({ id: z.string(), rule: z.string(), ticket: z.string(), action: z.string(), outcome: z.string() })
    .optional(),
  deployment: z
    .object({
      repository: z.string(),
      commit: z.string(),
      environment: z.string(),
      status: z.enum(deploymentStatuses),
    })
    .optional(),
  service: z
    .object({ predicate: z.enum(servicePredicates), environment: z.string(), artifacts: z.array(z.string()) })
    .optional(),
}) satisfies z.ZodType<NotifiableEvent>;

const Facts = StoredEvent.shape.facts.catch([]);

/** Selects everything of `notifiable_event` that `toEvent` needs. */
export const selectEvents = tables
  .selectFrom("notifiable_event")
  .select(["id", "seq", "kind", "severity", "cluster", "namespace", "object_kind", "name"])
  .select(["title", "sentence", "facts", "path", "at", "matter"]);

export function toEvent(row: RowOf<typeof selectEvents>): NotifiableEvent {
  const { id, kind, severity, title, sentence, path, cluster, namespace, name } = row;
  return {
    ...{ id, kind, severity, title, sentence, path },
    target: { cluster, namespace, kind: row.object_kind, name },
    facts: Facts.parse(row.facts),
    at: row.at.toISOString(),
    ...(row.matter === null ? {} : { matter: row.matter }),
  };
}

/** Reads the oldest events that no channel was told of yet, and locks them for the transaction. */
export async function lockUnplanned(connection: Connection, limit: number) {
  return readRows(
    connection,
    selectEvents.where("planned_at", "is", null).orderBy("seq").limit(limit).forUpdate().skipLocked(),
  );
}

const pageSize = 500;

/**
 * Puts events into the outbox, in the caller's transaction: they are sent once it is committed, and not at all if it is
 * rolled back. An event that is already there stays as it is. Resolves with the number of new ones.
 */
export async function enqueueEvents(connection: Connection, events: readonly NotifiableEvent[]): Promise<number> {
  let added = 0;
  for (let from = 0; from < events.length; from += pageSize) {
    const rows = events.slice(from, from + pageSize).map(toRow);
    added += await write(
      connection,
      withChangeLog(
        "notification",
        tables
          .insertInto("notifiable_event")
          .values(rows)
          .onConflict((conflict) => conflict.column("id").doNothing())
          .returning(["id", "cluster", "namespace", "object_kind as kind", "name"]),
      ),
    );
  }
  return added;
}

function toRow({ id, kind, severity, target, title, sentence, facts, path, at, matter }: NotifiableEvent) {
  return {
    matter: matter === undefined ? null : jsonOf<Column.Matter>(toStorableJson(matter)),
    ...{ id, kind, severity, at, path: escapeText(path).text },
    cluster: escapeText(target.cluster).text,
    namespace: escapeText(target.namespace).text,
    object_kind: target.kind,
    name: escapeText(target.name).text,
    title: storable(title),
    sentence: storable(sentence),
    facts: toStorableJson(facts.map(({ label, value }) => ({ label, value: redactText(value) }))),
  };
}

function storable(text: string): string {
  return escapeText(redactText(text)).text;
}
