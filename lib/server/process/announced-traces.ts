import { sql } from "kysely";
import type { Change } from "#lib/server/platform/db/change-log.ts";
import { awaitLater } from "#lib/server/platform/db/in-transaction.ts";
import { type Connection, write } from "#lib/server/platform/db/run-query.ts";
import { activeSpan, isTracing, startSpan } from "#lib/server/platform/telemetry/tracing.ts";
import { putNewest } from "#lib/util/rate-limiter.ts";

/**
 * Tells the listeners of the change log which trace this transaction belongs to. The message goes with its commit, beside
 * the empty one of the trigger.
 */
export async function announceTrace(tx: Connection): Promise<void> {
  const span = activeSpan();
  if (span?.isRecorded !== true) return;
  const notice = sql`SELECT pg_notify('gatehouse_change', pg_current_xact_id()::text || ' ' || ${span.traceparent}::text)`;
  await awaitLater(tx, write(tx, notice));
}

type Announced = { parent: string; heardAt: number };
/** One read of the log, by `performance.now()`. */
type Round = { readAt: number; foundAt: number; sentAt: number; listeners: number };

export type AnnouncedTraces = {
  /** Takes the payload of a notification. */
  hear(payload: string | undefined): void;
  /** Takes the changes that a round has sent. */
  send(changes: readonly Change[], round: Round): void;
};

/** The oldest ones go first: most transactions belong to no trace. */
const maxEntries = 500;

/**
 * Adds to the traces of changes how they were read from the log and sent. A notification may come after the round that
 * has sent its changes.
 */
export function createAnnouncedTraces(): AnnouncedTraces {
  const announced = new Map<string, Announced>();
  const rounds = new Map<string, Round>();
  return {
    hear(payload = "") {
      if (!isTracing()) return;
      const [, xid, parent] = /^(\d{1,20}) ([\da-f-]{55})$/.exec(payload) ?? [];
      if (xid === undefined || parent === undefined) return;
      const heard = { parent, heardAt: performance.now() };
      const round = rounds.get(xid);
      if (round === undefined) putNewest(announced, { key: xid, value: heard, maxEntries });
      else addSpans(heard, round);
    },
    send(changes, round) {
      if (!isTracing()) return;
      for (const xid of new Set(changes.map(({ cursor }) => cursor.xid.toString()))) {
        const heard = announced.get(xid);
        announced.delete(xid);
        if (heard === undefined) putNewest(rounds, { key: xid, value: round, maxEntries });
        else addSpans(heard, round);
      }
    },
  };
}

function addSpans({ parent, heardAt }: Announced, { readAt, foundAt, sentAt, listeners }: Round): void {
  const startAt = Math.min(heardAt, readAt);
  const attributes = { "gatehouse.listeners": listeners };
  const span = startSpan("deliver", { kind: "consumer", parent, startAt, attributes });
  if (span === undefined) return;
  startSpan("read", { parent: span, startAt: readAt })?.end(foundAt);
  startSpan("send", { parent: span, startAt: foundAt })?.end(sentAt);
  span.end(sentAt);
}
