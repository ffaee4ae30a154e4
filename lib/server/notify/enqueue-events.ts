import type { NotifiableEvent } from "#lib/domain/notify/notifiable-event.ts";
import { escapeText, toStorableJson } from "#lib/domain/storable/escape-text.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { withChangeLog } from "#lib/server/platform/db/log-change.ts";
import { type Connection, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";

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

function toRow({ id, kind, severity, target, title, sentence, facts, path, at }: NotifiableEvent) {
  return {
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
