import type { Pool } from "pg";
import type { Logger } from "pino";
import type { HookAnswer } from "#lib/domain/flagger/gates/hook-answer.ts";
import type { HookPayload, HookType } from "#lib/domain/flagger/gates/hook-payload.ts";
import { escapeText } from "#lib/domain/storable/escape-text.ts";
import { inTransaction } from "#lib/server/platform/db/in-transaction.ts";
import { type InsertedRow, prepareInsert } from "#lib/server/platform/db/prepare-insert.ts";

/** One call of a caller with a valid credential. */
export type LoggedCall = {
  at: Date;
  cluster: string;
  type: HookType;
  /** The last part of the path; empty without one. */
  label: string;
  payload: HookPayload;
  answer: HookAnswer;
};

/** Writes calls later and together. A row that is lost changes no answer. */
export type HookLog = {
  add(call: LoggedCall): void;
  /** Writes the waiting calls. */
  flush(): Promise<void>;
};

/** More calls than this wait only while the database does not answer. */
const maxWaiting = 20_000;
const flushAfterMs = 200;
/** Names and words from outside, as far as they are logged. */
const maxLength = 253;

const insert = prepareInsert({
  table: "hook_call",
  columns: {
    at: "timestamptz",
    cluster: "text",
    namespace: "text",
    name: "text",
    type: "text",
    label: "text",
    phase: "text",
    checksum: "text",
    status: "int4",
    reason: "text",
    decision_id: "uuid",
  },
});

export function createHookLog({ pool, log }: { pool: Pool; log: Pick<Logger, "warn"> }): HookLog {
  let waiting: InsertedRow<typeof insert>[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      await inTransaction(pool, (tx) => insert(tx, rows));
      if (dropped > 0) log.warn({ dropped }, "hook calls were not logged");
      dropped = 0;
    } catch (error) {
      if (dropped === 0) log.warn({ err: error }, "hook calls cannot be logged");
      dropped += rows.length;
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  return {
    add(call) {
      if (waiting.length >= maxWaiting) {
        dropped += 1;
        return;
      }
      waiting.push(toRow(call));
      timer ??= setTimeout(() => void flush(), flushAfterMs).unref();
    },
    flush,
  };
}

function toRow({ at, cluster, type, label, payload, answer }: LoggedCall): InsertedRow<typeof insert> {
  return {
    at: at.toISOString(),
    cluster,
    namespace: toWord(payload.namespace),
    name: toWord(payload.name),
    type,
    label,
    phase: toWord(payload.phase),
    checksum: toWord(payload.checksum ?? ""),
    status: answer.httpStatus,
    reason: answer.reason,
    decision_id: answer.decisionId ?? null,
  };
}

function toWord(text: string): string {
  return escapeText(text.slice(0, maxLength)).text;
}
