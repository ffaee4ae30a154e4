import type { Pool } from "pg";
import { escapeText } from "#lib/domain/storable/escape-text.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import { messageColumns, messageKey } from "#lib/server/platform/db/controller-message.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";
import { readRow, write } from "#lib/server/platform/db/run-query.ts";
import { tables } from "#lib/server/platform/db/tables.ts";
import { sha256Hex } from "#lib/util/sha256.ts";

/** A controller's message as it is to be stored. */
export type NewMessage = {
  cluster: string;
  namespace: string;
  name: string;
  /** Undefined while no such canary is known. */
  canary: { uid: string; rolloutId: string } | undefined;
  type: string;
  message: string;
  /** Milliseconds since 1970 by the controller's clock. */
  controllerTimeMs: number;
  phase: string;
  checksum: string | undefined;
};

const insert = prepareInsert({
  table: "controller_message",
  columns: { ...messageColumns, phase: "text", checksum: "text" },
  conflict: { key: messageKey },
  returning: messageKey,
});

/** Wakes the recorder, which shows the canaries again. */
const wakeRecorder = tables.selectNoFrom(({ fn, val }) =>
  fn("pg_notify", [val("gatehouse_change"), val("")]).as("notified"),
);

/**
 * Stores messages, each once; resolves when they are committed. Returns for each whether it is new: of equal ones in
 * one batch, the first is.
 */
export async function storeMessages(pool: Pool, messages: readonly NewMessage[]): Promise<{ isNew: boolean }[]> {
  const rows = messages.map(toRow);
  const distinct = new Map(rows.map((row) => [keyOf(row), row]));
  const written = await inTransaction(pool, async (tx) => {
    const stored = await insert(tx, [...distinct.values()]);
    if (stored.length > 0) await write(tx, wakeRecorder);
    return stored;
  });
  const fresh = new Set(
    written.map(({ controller_time, ...row }) => keyOf({ ...row, controller_time: controller_time.toISOString() })),
  );
  return rows.map((row) => ({ isNew: fresh.delete(keyOf(row)) }));
}

/** Deletes messages about canaries that are still unknown after a day; at most 10 000 at a time. Returns how many. */
export async function deleteUnmatchedMessages(pool: Pool): Promise<number> {
  const statement = tables.selectNoFrom(({ fn }) => fn<string>("delete_unmatched_messages").as("gone"));
  const row = await readRow(pool, statement);
  return Number(row?.gone ?? 0);
}

type Row = InsertedRow<typeof insert>;

function toRow({ canary, controllerTimeMs, checksum, ...said }: NewMessage): Row {
  const message = escapeText(redactText(said.message)).text;
  return {
    cluster: said.cluster,
    namespace: escapeText(said.namespace).text,
    name: escapeText(said.name).text,
    uid: canary?.uid ?? null,
    rollout_id: canary?.rolloutId ?? null,
    source: "webhook",
    type: escapeText(said.type).text,
    message,
    message_digest: sha256Hex(message),
    controller_time: new Date(controllerTimeMs).toISOString(),
    phase: escapeText(said.phase).text,
    checksum: escapeText(checksum ?? "").text,
  };
}

function keyOf(row: Pick<Row, "cluster" | "namespace" | "name" | "message_digest" | "controller_time">): string {
  return [row.cluster, row.namespace, row.name, row.message_digest, row.controller_time].join("\n");
}
