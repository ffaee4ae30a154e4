import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counter, Gauge } from "prom-client";
import type { ConfigStore } from "#lib/server/config/config-store.ts";
import { readDatabaseTime } from "#lib/server/db/database-time.ts";
import { sendMessage } from "./channels/send-message.ts";
import { prepareMessages } from "./prepare-messages.ts";
import { readQueueAgeSeconds } from "./read-queue-age.ts";
import { type SentMemory, sendDue } from "./send-due.ts";

export type NotificationMetrics = {
  notifications: Counter<"channel_type" | "outcome">;
  notificationAge: Gauge;
};

export type NotificationOptions = {
  pool: Pool;
  store: Pick<ConfigStore, "current">;
  log: Pick<Logger, "warn">;
  metrics: NotificationMetrics;
};

/** One pass of the upkeep: makes the messages that are due. */
export async function prepareNotifications({ pool, store, metrics }: NotificationOptions): Promise<void> {
  const now = await readDatabaseTime(pool);
  const { suppressed } = await prepareMessages({ pool, config: store.current().config.notifications, now });
  for (const type of suppressed) metrics.notifications.inc({ channel_type: type, outcome: "suppressed" });
  metrics.notificationAge.set(await readQueueAgeSeconds(pool, now));
}

/** One pass of the upkeep: sends the messages that are due. */
export async function sendNotifications(
  { pool, store, log, metrics }: NotificationOptions,
  { memory, signal }: { memory: SentMemory; signal: AbortSignal },
): Promise<void> {
  const { notifications, publicUrl } = store.current().config;
  await sendDue({
    pool,
    publicUrl,
    memory,
    signal,
    channels: notifications.channels,
    send: sendMessage,
    now: () => readDatabaseTime(pool),
    random: Math.random,
    onOutcome: (outcome, { id, channel, error }) => {
      metrics.notifications.inc({ channel_type: channel.type, outcome });
      if (outcome !== "sent") log.warn({ channel: channel.name, notification: id, error }, `message ${outcome}`);
    },
  });
}
