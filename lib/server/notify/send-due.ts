import type { Pool } from "pg";
import type { Message } from "#lib/domain/notify/compose-messages.ts";
import { redactText } from "#lib/domain/storable/redact-text.ts";
import type { ChannelConfig } from "#lib/server/platform/config/notification-schema.ts";
import { isOneOf } from "#lib/server/platform/db/conditions.ts";
import { prismaOn } from "#lib/server/platform/db/prisma-on.ts";
import { type Connection, readRow, readRows } from "#lib/server/platform/db/run-query.ts";
import { fragment, tables } from "#lib/server/platform/db/tables.ts";
import { computeBackoff } from "#lib/util/compute-backoff.ts";
import type { AlertState, Sending, SendResult } from "./channels/post-json.ts";
import { StoredEvent } from "./stored-event.ts";
import { parseMessage } from "./stored-message.ts";
import { readSlackChange } from "./tell-slack.ts";

/** After this long, a message that is being sent counts as not sent: its sender was killed. Longer than any try takes. */
const claimMs = 60_000;
const maxPerTurn = 20;

export type Outcome = "sent" | "retried" | "failed";

/** Messages that were sent, but whose row could not be changed since: they are marked, not sent again. */
export type SentMemory = Set<string>;

export type SendOptions = {
  pool: Pool;
  publicUrl: string;
  /** Clicks in Slack are answered. */
  hasSlackActions?: boolean;
  send(channel: ChannelConfig, sending: Sending): Promise<SendResult>;
  /** By the database's clock. */
  now(): Promise<Date>;
  random(): number;
  memory: SentMemory;
  signal: AbortSignal;
  onOutcome(outcome: Outcome, message: { id: string; channel: ChannelConfig; error?: string }): void;
};

/**
 * Sends a channel's due messages, one after the other. A message is claimed before it is sent and marked afterwards; if
 * the process dies in between, it is sent again, with the same id. Stops at the first failure: a fault of the channel
 * affects its other messages too.
 */
export async function sendDue(options: SendOptions, channel: ChannelConfig): Promise<void> {
  for (let count = 0; count < maxPerTurn && !options.signal.aborted; count++) {
    const claimed = await claim(options, channel);
    if (claimed === undefined) return;
    const result = await deliver(options, { channel, claimed });
    const outcome = await mark(options, { claimed, result });
    if (outcome !== undefined)
      options.onOutcome(outcome, { id: claimed.id, channel, ...(result.ok ? {} : { error: result.error }) });
    if (!result.ok) return;
  }
}

const claimedColumns = [
  ...(["id", "shape", "severity", "title", "routes", "events", "attempts"] as const),
  ...(["created_at", "give_up_at", "incident_id"] as const),
] as const;
const unsent = ["queued", "sending"] as const;

/** A message about the same incident as `n` that comes before it, and may still be sent. */
const earlierStep = fragment<{ n: "notification" }>()
  .selectFrom("notification as before")
  .select("before.id")
  .whereRef("before.channel", "=", "n.channel")
  .where("before.state", "in", unsent)
  .whereRef("before.incident_id", "=", "n.incident_id")
  .whereRef("before.incident_step", "<", "n.incident_step");

async function claim({ pool, now }: SendOptions, channel: ChannelConfig) {
  const at = await now();
  return readRow(
    pool,
    tables
      .updateTable("notification")
      .set(({ eb }) => ({
        state: "sending",
        attempts: eb("attempts", "+", 1),
        last_attempt_at: at,
        next_attempt_at: new Date(at.getTime() + claimMs),
      }))
      .where("id", "=", ({ selectFrom }) =>
        selectFrom("notification as n")
          .select("n.id")
          .where("n.channel", "=", channel.name)
          .where("n.state", "in", unsent)
          .where("n.next_attempt_at", "<=", at)
          .where(({ exists, not }) => not(exists(earlierStep)))
          .orderBy("n.next_attempt_at")
          .orderBy("n.created_at")
          .orderBy("n.incident_step")
          .orderBy("n.id")
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returning(claimedColumns),
  );
}

type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>;

async function deliver(
  { pool, send, publicUrl, hasSlackActions, now, signal, memory }: SendOptions,
  { channel, claimed }: { channel: ChannelConfig; claimed: Claimed },
): Promise<SendResult> {
  if (memory.has(claimed.id)) return { ok: true };
  const message = parseMessage(claimed);
  if (message === undefined) return { ok: false, error: "the stored message cannot be read" };
  const alerts =
    channel.type === "alertmanager"
      ? await readAlerts(pool, { channel, message, madeAt: claimed.created_at })
      : undefined;
  const change =
    channel.type === "slack" && message.shape === "resolve" ? await readSlackChange(pool, message) : undefined;
  const result = await send(channel, { message, alerts, change, hasSlackActions, publicUrl, now: await now(), signal });
  if (result.ok) memory.add(claimed.id);
  return result;
}

/** Stores the result. Resolves with the outcome; undefined if another sender has claimed the message since. */
async function mark(
  { pool, now, random, memory }: SendOptions,
  { claimed, result }: { claimed: Claimed; result: SendResult },
): Promise<Outcome | undefined> {
  const at = await now();
  const outcome: Outcome = result.ok ? "sent" : at >= claimed.give_up_at ? "failed" : "retried";
  const retryAt = new Date(at.getTime() + (result.ok ? 0 : retryMs({ claimed, result, random })));
  const marked = await prismaOn(pool).notification.updateMany({
    where: { id: claimed.id, state: "sending", attempts: claimed.attempts },
    data: {
      lastError: result.ok ? (result.note ?? null) : redactText(result.error),
      ...(result.ok && result.receipt !== undefined && { receipt: result.receipt }),
      ...(outcome === "sent" && { state: "sent", sentAt: at, endedAt: at }),
      ...(outcome === "failed" && { state: "failed", endedAt: at }),
      ...(outcome === "retried" && { state: "queued", nextAttemptAt: retryAt }),
    },
  });
  memory.delete(claimed.id);
  return marked.count === 0 ? undefined : outcome;
}

/** Backs off from 5 s to 15 minutes, and for as long as the receiver asks. */
function retryMs({
  claimed,
  result,
  random,
}: {
  claimed: Pick<Claimed, "attempts">;
  result: Extract<SendResult, { ok: false }>;
  random: () => number;
}): number {
  const backoffMs = computeBackoff({
    firstMs: 5000,
    longestMs: 900_000,
    doublings: Math.min(claimed.attempts - 1, 10),
    random: random(),
  });
  return Math.max(backoffMs, result.retryAfterMs ?? 0);
}

/**
 * Returns the alerts that a message is about, as they stand now: messages may be sent in another order than they were
 * made. One that is over is not opened again, and one that is open is not resolved.
 */
async function readAlerts(
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
